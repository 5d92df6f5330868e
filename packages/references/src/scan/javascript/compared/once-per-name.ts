/**
 * Returns a function that answers a question about a name once, and then knows the answer. While it looks for an answer, the same
 * question is answered with no: in a cycle of names, nothing is proved.
 * @param ask returns the answer, and may ask about other names with the returned function
 */
export function oncePerName(
  ask: (name: string) => boolean,
): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const answer = known.get(name);
    if (answer !== undefined) return answer;
    known.set(name, false);
    const found = ask(name);
    known.set(name, found);
    return found;
  };
}
