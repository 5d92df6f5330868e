/** A word of a command in a script. */
export interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
  /** No space precedes it, so it belongs to the token before: the value in `A="x"`. */
  readonly isJoined?: boolean;
}
