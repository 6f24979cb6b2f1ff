import type { Handlers } from './tools.ts';

export const secretsHandlers: Pick<Handlers, 'secrets.make' | 'secrets.delete'> = {
  'secrets.make': async (_, { store, material }, _context, signal) => {
    if ((await store.secrets()) !== undefined) return;
    const text = await material.newSecrets();
    signal.throwIfAborted();
    await store.makeSecrets(text);
  },
  'secrets.delete': async (_, { store }) => store.deleteSecrets(),
};
