/** An error for an external value that isn't valid for a field. */
export class NoField extends Error {
  override readonly name = "NoField";
}
