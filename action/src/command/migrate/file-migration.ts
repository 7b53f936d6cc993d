/** Something to know about one file. */
export interface Note {
  /** From 1; undefined: about the whole file. */
  readonly line?: number;
  readonly sentence: string;
}

/** What becomes of one file. */
export interface FileMigration {
  /** As it is shown. */
  readonly path: string;
  readonly text: string;
  /** The same as `text` if nothing has to change. */
  readonly changed: string;
  readonly notes: readonly Note[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** A `codecov.yml` in the words of this service. */
export interface CodecovSettings {
  /** For `PUT /api/v1/repos/<service>/<owner>/<name>` and its settings. */
  readonly settings: Fields;
  /** Inputs of the step that uploads, or closes. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Keys that have no equivalent here, as `a.b.c`. */
  readonly withoutEqual: readonly string[];
  /** What became of each key: the key, and where it went. */
  readonly mapped: readonly (readonly [from: string, to: string])[];
  /** Values that have no equivalent, or no exact one. */
  readonly notes: readonly Note[];
  /** The same as the repo's own file. */
  readonly file: TranslatedFile | undefined;
}

/** A `codecov.yml` as a `coverage.yml`. */
export interface TranslatedFile {
  /** Undefined if nothing belongs in the file. */
  readonly text: string | undefined;
  /** Keys that decide no verdict here, as `a.b.c`: leaving them out changes nothing. */
  readonly dropped: readonly string[];
  /** Keys that matter and have no equivalent. */
  readonly withoutEqual: readonly string[];
  /** Remarks about single values. */
  readonly notes: readonly string[];
}

/** Everything that a repo has to change. */
export interface Migration {
  readonly files: readonly FileMigration[];
  readonly codecov: readonly (CodecovSettings & { readonly path: string })[];
  readonly warnings: readonly string[];
}
