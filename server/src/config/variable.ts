/** One line of docs/configuration.md. */
export interface ConfigVariable<Value = unknown> {
  readonly name: string;
  /** Throws a BadValue. */
  readonly read: (text: string) => Value;
  /** As written in the environment; undefined: not set. */
  readonly default: string | undefined;
  /** May be given as NAME_FILE too; its value is never shown. */
  readonly secret: boolean;
  /** The value is the path of a file, whose text is read. */
  readonly isPath: boolean;
  /** Also taken in lower case, which wins, as other programs take it. */
  readonly anyCase: boolean;
  readonly meaning: string;
  /** Its name in Config, if that has its value as it is. */
  readonly key?: string | undefined;
}

export const variable = <
  const Name extends string,
  Value,
  const Default extends string | undefined,
  const Key extends string | undefined = undefined,
>(
  name: Name,
  read: (text: string) => Value,
  fallback: Default,
  meaning: string,
  key?: Key,
) => ({ name, read, default: fallback, secret: false, isPath: false, anyCase: false, meaning, key: key as Key });
export const secret: typeof variable = (...of) => ({
  ...variable(...of),
  secret: true,
});
