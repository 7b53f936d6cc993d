const MAX_SHOWN = 500;

/** The sentence of a failure answer (wire.md, "Failures"), cut; undefined if there is none. */
export function statedMessage(text: string): string | undefined {
  const message = (parsedObject(text) as { message?: unknown } | undefined)?.message;
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  const cut = message.length > MAX_SHOWN ? `${message.slice(0, MAX_SHOWN)}…` : message;
  return cut.trim().replace(/\.$/, '');
}

/** The JSON object that a text holds; undefined if it holds none. */
export function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
