/** Texts that are put into a message, by name; whoever quotes a hostile one has done so. */
export type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** Numbers that are put into a message, by name. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;
