/** A value from outside is not what it must be. */
export class NoField extends Error {
  override readonly name = "NoField";
}
