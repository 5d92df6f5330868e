/**
 * Splits a directed graph into its strongly connected components (Tarjan's algorithm, without recursion).
 * @param size the number of nodes, which are 0 to size - 1
 * @param next returns the nodes that a node leads to
 * @returns the components; each comes after all others that it leads to
 */
export function components(
  size: number,
  next: (node: number) => readonly number[],
): number[][] {
  const found: number[][] = [];
  const index = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const isOpen = new Uint8Array(size);
  const open: number[] = [];
  let count = 0;
  const enter = (node: number) => {
    index[node] = low[node] = count++;
    isOpen[node] = 1;
    open.push(node);
    return { node, targets: next(node), at: 0 };
  };
  const leave = (node: number) => {
    if (low[node] !== index[node]) return;
    const members = open.splice(open.lastIndexOf(node));
    for (const member of members) isOpen[member] = 0;
    found.push(members);
  };
  const lower = (node: number, to: number) => {
    low[node] = Math.min(low[node] ?? 0, to);
  };
  for (let start = 0; start < size; start++) {
    if (index[start] !== -1) continue;
    const path = [enter(start)];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = top.targets[top.at++];
      if (target === undefined) {
        leave(top.node);
        path.pop();
        const parent = path.at(-1);
        if (parent) lower(parent.node, low[top.node] ?? 0);
      } else if (index[target] === -1) path.push(enter(target));
      else if (isOpen[target] === 1) lower(top.node, index[target] ?? 0);
    }
  }
  return found;
}
