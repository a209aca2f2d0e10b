import type { Agreement } from "./connection.ts";
import {
  ASYNC_DIO,
  ASYNC_READ,
  ATOMIC_O_TRUNC,
  AUTO_INVAL_DATA,
  BIG_WRITES,
  DIRECT_IO_ALLOW_MMAP,
  DO_READDIRPLUS,
  HANDLE_KILLPRIV_V2,
  HAS_RESEND,
  INIT_EXT,
  INIT_OUT_SIZE,
  KERNEL_VERSION,
  MAX_PAGES,
  MAX_WRITE,
  MAX_WRITE_PAGES,
  NEWEST_MINOR,
  OLDEST_MINOR,
  PARALLEL_DIROPS,
  PASSTHROUGH,
  READDIRPLUS_AUTO,
} from "./constants.ts";
import type { Answer } from "./filesystem.ts";
import type { DecodedRequest } from "./request.ts";
import type { WireReply } from "./reply.ts";

/**
 * What is asked for wherever the kernel offers it. Left out on purpose: CACHE_SYMLINKS (a link of this tree may be turned
 * elsewhere, and being right must not hang on a queued notification), EXPLICIT_INVAL_DATA (files change behind the
 * mount), NO_OPEN_SUPPORT (an open is where rights are judged), WRITEBACK_CACHE (rules out PASSTHROUGH).
 */
const WANTED =
  ASYNC_READ |
  ATOMIC_O_TRUNC |
  BIG_WRITES |
  AUTO_INVAL_DATA |
  DO_READDIRPLUS |
  READDIRPLUS_AUTO |
  ASYNC_DIO |
  PARALLEL_DIROPS |
  MAX_PAGES |
  HANDLE_KILLPRIV_V2 |
  INIT_EXT;
const WANTED2 = DIRECT_IO_ALLOW_MMAP | PASSTHROUGH | HAS_RESEND;

const MAX_BACKGROUND = 64;
/** Three quarters of it, as the kernel's own default is. */
const CONGESTION_THRESHOLD = 48;
/** struct fuse_init_in before 7.36 ends with the first word of flags. */
const FLAGS2_END = 20;

/** struct fuse_init_in */
export interface Offer {
  readonly major: number;
  readonly minor: number;
  readonly maxReadahead: number;
  readonly flags: number;
  /** 0 unless INIT_EXT says that there are any. */
  readonly flags2: number;
}

/**
 * Of a kernel newer than version 7 only "version 7, please" is answered, and it asks again; to one that is older than
 * 7.31 there is nothing to say.
 */
export type Outcome =
  | { readonly kind: "agreed"; readonly agreement: Agreement }
  | { readonly kind: "ask again" }
  | { readonly kind: "too old" };

/** At least 16 bytes are there. */
export function offerOf(request: DecodedRequest): Offer {
  const w = request.body >>> 2;
  const flags = request.word(w + 3);
  const isLong = (flags & INIT_EXT) !== 0 && request.end - request.body >= FLAGS2_END;
  return {
    major: request.word(w),
    minor: request.word(w + 1),
    maxReadahead: request.word(w + 2),
    flags,
    flags2: isLong ? request.word(w + 4) : 0,
  };
}

/** What both sides know of what is wanted here. The rule of versions is <linux/fuse.h>'s. */
export function negotiate(offer: Offer): Outcome {
  if (offer.major > KERNEL_VERSION) return { kind: "ask again" };
  if (offer.major < KERNEL_VERSION || offer.minor < OLDEST_MINOR) return { kind: "too old" };
  return {
    kind: "agreed",
    agreement: {
      minor: Math.min(offer.minor, NEWEST_MINOR),
      flags: offer.flags & WANTED,
      flags2: offer.flags2 & WANTED2,
    },
  };
}

/** struct fuse_init_out, with the limits of this server. Without an agreement it says version 7 and nothing else. */
export function putAgreement(reply: WireReply, agreement: Agreement | undefined, maxReadahead: number): Answer {
  for (let word = 0; word < INIT_OUT_SIZE / 4; word++) reply.putWord(word, 0);
  reply.putWord(0, KERNEL_VERSION);
  reply.putWord(1, agreement?.minor ?? NEWEST_MINOR);
  if (agreement === undefined) return INIT_OUT_SIZE;
  reply.putWord(2, maxReadahead);
  reply.putWord(3, agreement.flags);
  reply.putWord(4, MAX_BACKGROUND | (CONGESTION_THRESHOLD << 16));
  reply.putWord(5, MAX_WRITE);
  reply.putWord(6, 1); // nanoseconds that times are counted in
  reply.putWord(7, MAX_WRITE_PAGES);
  reply.putWord(8, agreement.flags2);
  // A backing file may lie on a file system that is itself stacked on nothing.
  reply.putWord(9, (agreement.flags2 & PASSTHROUGH) === 0 ? 0 : 1);
  return INIT_OUT_SIZE;
}
