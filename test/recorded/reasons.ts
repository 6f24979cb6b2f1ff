/** Rows that the twin answers otherwise, each with the reason. A row that differs and is not here fails the run. */
export const reasons: Readonly<Record<string, string>> = {};
