/** How a peer can break a protocol. Every protocol says under which of its codes each is told: see `Protocol.faultCodes`. */
export type FaultKind =
  /** A length of 0 or above the protocol's limit. */
  | "frame limit"
  /** The stream ended inside a frame. */
  | "partial"
  /** A frame did not complete in time after its first byte. */
  | "deadline"
  /** Not one UTF-8 JSON object of a known message's shape. */
  | "malformed"
  /** A message that is legal in another phase only. */
  | "illegal"
  /** A message of the right shape with a text where a name belongs that is no name. */
  | "name";

/** The peer broke the protocol: log it, tell it once if it still listens, close, count it. Never continue. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
