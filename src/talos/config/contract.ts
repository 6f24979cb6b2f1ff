/** The minors whose configuration ichor writes; one renderer each, differences as tables. */
export const contracts = ['1.9', '1.10', '1.11', '1.12', '1.13', '1.14'] as const;

export type Contract = (typeof contracts)[number];
