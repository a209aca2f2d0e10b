/** The eight values of an agent's `perm`: r reads files, w writes them, x runs shells and terminals. See spec/agent.md. */
export const PERMS = ["---", "--x", "-w-", "-wx", "r--", "r-x", "rw-", "rwx"] as const;

export type Perm = (typeof PERMS)[number];

/** The triplet, or undefined when the text is none of the eight. */
export function parsePerm(text: string): Perm | undefined {
  return PERMS.find((perm) => perm === text);
}
