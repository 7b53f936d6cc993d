/** A database as it was found, before anything of it was changed. */
export interface StoreInspection {
  /** Where it is, without user and password. */
  readonly name: string;
  /** For the schema, and the one that this program works with; undefined: not known. */
  readonly version: number | undefined;
  readonly latest: number | undefined;
  /** A sentence; undefined: it can be used. */
  readonly problem: string | undefined;
  /** Whether all of it was read; undefined: that was not tried. */
  readonly isWhole: boolean | undefined;
  /** Whether a server runs on it; undefined: nobody knows. */
  readonly isServed: boolean | undefined;
}

/** Called with the versions of the schema. */
export type OnUpgrade = (step: { readonly from: number; readonly to: number }) => void;
