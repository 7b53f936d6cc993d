// Why a file is not read as coverage: clauses that follow its name.

export const UTF_16 = 'it is UTF-16 text; write it as UTF-8';
