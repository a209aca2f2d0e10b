declare const brand: unique symbol;

/**
 * 144 bits of entropy as 24 characters of base64url. 18 bytes fill 24 characters without a spare bit, so every string
 * of this form stands for exactly one nonce.
 */
export type Nonce = string & { readonly [brand]: "Nonce" };

export const NONCE_BYTES = 18;
export const NONCE_PATTERN = "^[A-Za-z0-9_-]{24}$";

const nonce = new RegExp(NONCE_PATTERN, "u");

/** `entropy`: exactly 18 bytes from the operating system's generator. */
export function encodeNonce(entropy: Uint8Array): Nonce {
  if (entropy.length !== NONCE_BYTES) throw new RangeError(`a nonce is made of ${String(NONCE_BYTES)} bytes`);
  return Buffer.from(entropy).toString("base64url") as Nonce;
}

export function parseNonce(text: string): Nonce | undefined {
  return nonce.test(text) ? (text as Nonce) : undefined;
}
