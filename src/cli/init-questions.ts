import type { Drafted, Given } from '../engine.ts';

type Validate = (value: string | undefined) => string | undefined;

/** As much of @clack/prompts as is needed; handed in, so that a test can answer. */
export type Prompts = {
  readonly intro: (title: string) => void;
  readonly outro: (message: string) => void;
  readonly cancel: (message: string) => void;
  readonly text: (options: {
    message: string;
    placeholder?: string;
    initialValue?: string;
    validate?: Validate;
  }) => Promise<string | symbol>;
  readonly select: (options: {
    message: string;
    options: { value: string; label: string; hint?: string }[];
    initialValue?: string;
  }) => Promise<string | symbol>;
  readonly isCancel: (value: unknown) => boolean;
};

type Draft = (given: Given) => Drafted;
type Question = (given: Given, ask: Asker) => Promise<Given | undefined>;

/** Asks what is not known yet. Undefined: the person has had enough. */
export async function ask(prompts: Prompts, known: Given, draft: Draft): Promise<Given | undefined> {
  prompts.intro('A platform, in one file');
  const asker = new Asker(prompts, draft);
  let given = known;
  for (const question of questions) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other: each depends on the last
    const answer = await question(given, asker);
    if (answer === undefined) {
      prompts.cancel('Enough for now.');
      return undefined;
    }
    given = { ...given, ...answer };
  }
  prompts.outro('That is all.');
  return given;
}

type Hints = {
  readonly initialValue?: string;
  readonly placeholder?: string;
  /** What is wrong with the letters alone. */
  readonly form?: (value: string) => string | undefined;
};

class Asker {
  readonly #prompts: Prompts;
  readonly draft: Draft;

  constructor(prompts: Prompts, draft: Draft) {
    this.#prompts = prompts;
    this.draft = draft;
  }

  /** An answer in words, judged by what it would make of the file. Undefined when the person gives up. */
  async words(
    message: string,
    flag: string,
    put: (value: string) => Given,
    { form, ...hints }: Hints = {},
  ): Promise<Given | undefined> {
    const value = await this.#prompts.text({
      message,
      ...hints,
      validate: (written) => {
        const unlike = form?.(written ?? '');
        if (unlike !== undefined) return unlike;
        const problem = this.draft(put(written ?? '')).problems.find(({ path }) => path === flag);
        return problem && `${problem.message} ${problem.remedy.replace(/^Add --\S+ /, 'For example: ')}`;
      },
    });
    return this.#prompts.isCancel(value) ? undefined : put(String(value));
  }

  async choice<T extends string>(
    message: string,
    options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[],
    initialValue: T,
  ): Promise<T | undefined> {
    const value = await this.#prompts.select({ message, options: [...options], initialValue });
    return this.#prompts.isCancel(value) ? undefined : (value as T);
  }
}

const several = (value: string): readonly string[] | undefined => {
  const parts = value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  return parts.length === 0 ? undefined : parts;
};

const orAbsent = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());

/** A question that has its answer already, or makes no sense here, is not asked. */
const skipped: Given = {};

const name: Question = async (given, asker) =>
  given.name === undefined
    ? asker.words('What is it called?', '--name', (value) => ({ ...given, name: value.trim() }), {
        initialValue: asker.draft(given).answers.name,
      })
    : skipped;

const provider: Question = async (given, asker) => {
  if (given.provider !== undefined) return skipped;
  const chosen = await asker.choice(
    'Where do its machines come from?',
    [
      { value: 'proxmox', label: 'Proxmox VE' },
      { value: 'libvirt', label: 'libvirt', hint: 'KVM on this machine or on others' },
      { value: 'openstack', label: 'OpenStack' },
      { value: 'existing', label: 'They are there', hint: 'and wait in Talos’ maintenance mode' },
    ] as const,
    'proxmox',
  );
  return chosen && { provider: chosen };
};

const endpoint: Question = async (given, asker) =>
  given.provider === 'proxmox' && given.endpoint === undefined
    ? asker.words('Where is the API of Proxmox?', '--endpoint', (value) => ({ ...given, endpoint: orAbsent(value) }), {
        placeholder: 'https://pve1.example.org:8006',
      })
    : skipped;

const cloud: Question = async (given, asker) =>
  given.provider === 'openstack' && given.cloud === undefined
    ? asker.words('Which cloud of clouds.yaml?', '--cloud', (value) => ({ ...given, cloud: orAbsent(value) }))
    : skipped;

const whichHosts: Readonly<Record<NonNullable<Given['provider']>, string>> = {
  proxmox: 'Which hosts may carry machines? (separated by commas)',
  libvirt: 'Which hosts? (separated by commas; nothing: this machine)',
  openstack: 'Which availability zones? (separated by commas)',
  existing: 'At which addresses do they wait? (control planes first, separated by commas)',
};

const hosts: Question = async (given, asker) => {
  if (given.hosts !== undefined || given.provider === undefined) return skipped;
  const usual = asker.draft(given).answers.hosts;
  return asker.words(whichHosts[given.provider], '--hosts', (value) => ({ ...given, hosts: several(value) }), {
    initialValue: usual.join(', '),
  });
};

const capacity: Question = async (given, asker) =>
  given.capacity === undefined && (given.provider === 'proxmox' || given.provider === 'libvirt')
    ? asker.words(
        'What can each of them carry? (processors and memory; nothing: said later)',
        '--capacity',
        (value) => ({ ...given, capacity: orAbsent(value) }),
        { placeholder: '32, 128GiB' },
      )
    : skipped;

const controlPlanes: Question = async (given, asker) => {
  if (given.controlPlanes !== undefined) return skipped;
  const chosen = await asker.choice(
    'How many control planes?',
    [
      { value: '1', label: 'One', hint: 'when it is down, so is the cluster' },
      { value: '3', label: 'Three', hint: 'one may fail' },
      { value: '5', label: 'Five', hint: 'two may fail' },
    ] as const,
    asker.draft(given).answers.controlPlanes === 1 ? '1' : '3',
  );
  return chosen && { controlPlanes: Number(chosen) };
};

const workers: Question = async (given, asker) =>
  given.workers === undefined
    ? asker.words('How many workers?', '--workers', (value) => ({ ...given, workers: Number(value) }), {
        initialValue: String(asker.draft(given).answers.workers),
        form: (value) => (/^\s*\d{1,6}\s*$/.test(value) ? undefined : 'Use a whole number.'),
      })
    : skipped;

const network: Question = async (given, asker) =>
  given.network === undefined
    ? asker.words(
        'What is the network of the machines? (nothing: whatever DHCP says)',
        '--network',
        (value) => ({ ...given, network: orAbsent(value) }),
        { placeholder: '10.10.0.0/24' },
      )
    : skipped;

const addresses: Question = async (given, asker) => {
  if (given.addresses !== undefined || given.network === undefined) return skipped;
  if (given.provider === 'existing' || given.provider === 'openstack') return skipped;
  const chosen = await asker.choice(
    'Who gives them addresses?',
    [
      { value: 'dhcp', label: 'A DHCP server' },
      { value: 'static', label: 'This file', hint: 'static addresses' },
    ] as const,
    'dhcp',
  );
  if (chosen !== 'static') return chosen && { addresses: 'dhcp' };
  const routed = await gateway(given, asker);
  return (
    routed &&
    asker.words(
      'What is the first of them?',
      '--addresses',
      (value) => ({ ...given, ...routed, addresses: `static:${value.trim()}` }),
      { placeholder: '10.10.0.11' },
    )
  );
};

const gateway: Question = async (given, asker) =>
  given.gateway === undefined
    ? asker.words('What is the gateway?', '--gateway', (value) => ({ ...given, gateway: orAbsent(value) }), {
        placeholder: '10.10.0.1',
      })
    : skipped;

const vip: Question = async (given, asker) =>
  given.vip === undefined && (given.controlPlanes ?? 1) >= 3
    ? asker.words(
        'Which free address shall the control planes share? (nothing: none)',
        '--vip',
        (value) => ({ ...given, vip: orAbsent(value) }),
        { placeholder: '10.10.0.5' },
      )
    : skipped;

const hostnames: Question = async (given, asker) => {
  if (given.hostnames !== undefined) return skipped;
  const chosen = await asker.choice(
    'Who names the machines?',
    [
      { value: 'talos', label: 'ichor', hint: 'the name is written into each config' },
      { value: 'dhcp', label: 'The DHCP server', hint: 'no hostname is written anywhere' },
    ] as const,
    'talos',
  );
  return chosen && { hostnames: chosen };
};

const questions: readonly Question[] = [
  name,
  provider,
  endpoint,
  cloud,
  hosts,
  capacity,
  controlPlanes,
  workers,
  network,
  addresses,
  vip,
  hostnames,
];
