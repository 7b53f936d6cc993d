/** Every way to run several lines of steps at once, each line in its own order. */
export function everyOrder<T>(...lines: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const waiting = lines.filter((line) => line.length > 0);
  if (waiting.length === 0) return [[]];
  return waiting.flatMap((line) => {
    const [first, ...rest] = line as readonly [T, ...T[]];
    const others = waiting.map((other) => (other === line ? rest : other));
    return everyOrder(...others).map((order) => [first, ...order]);
  });
}
