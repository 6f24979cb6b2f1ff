import { describe, expect, test } from 'vitest';
import { draft, type Given } from '../engine.ts';
import { ask, type Prompts } from './init-questions.ts';

const giveUp = Symbol('give up');

/**
 * Somebody who answers the questions in order. What is refused is tried again with the next answer; `true` takes what is
 * proposed.
 */
function somebody(answers: readonly (string | true | typeof giveUp)[]) {
  const left = [...answers];
  const heard: string[] = [];
  const next = (): string | true | typeof giveUp => {
    const answer = left.shift();
    if (answer === undefined) throw new Error(`Nobody said what to answer to: ${heard.at(-1)}`);
    return answer;
  };
  const prompts: Prompts = {
    intro: (title) => void heard.push(`» ${title}`),
    outro: (message) => void heard.push(`« ${message}`),
    cancel: (message) => void heard.push(`× ${message}`),
    isCancel: (value) => value === giveUp,
    text: async ({ message, initialValue = '', validate }) => {
      heard.push(`${message}${initialValue === '' ? '' : ` [${initialValue}]`}`);
      for (;;) {
        const answer = next();
        if (answer === giveUp) return giveUp;
        const value = answer === true ? initialValue : answer;
        const refused = validate?.(value);
        if (refused === undefined) return value;
        heard.push(`! ${refused}`);
      }
    },
    select: async ({ message, options, initialValue }) => {
      heard.push(
        `${message} (${options.map(({ value }) => (value === initialValue ? `[${value}]` : value)).join(' ')})`,
      );
      const answer = next();
      if (answer === giveUp) return giveUp;
      const value = answer === true ? (initialValue ?? '') : answer;
      if (!options.some((option) => option.value === value)) throw new Error(`"${value}" is not offered.`);
      return value;
    },
  };
  return { prompts, heard, left };
}

async function conversation(known: Given, answers: readonly (string | true | typeof giveUp)[]) {
  const { prompts, heard, left } = somebody(answers);
  const given = await ask(prompts, known, draft);
  expect(left).toEqual([]);
  return { given, heard, drafted: given && draft(given) };
}

describe('the questions', () => {
  test('three hosts of Proxmox with static addresses', async () => {
    const { heard, drafted } = await conversation({ folder: 'prod' }, [
      true, 'proxmox', 'pve1', 'https://pve1.example.org:8006', 'pve1, pve2,pve3', '32, 128GiB', true, '4', '10.10.0.0/24', 'static', '10.10.0.1', '10.11.0.11', '10.10.0.11', '10.10.0.11', '10.10.0.5', true,
    ]); // prettier-ignore
    expect(heard).toEqual([
      '» A platform, in one file',
      'What is it called? [prod]',
      'Where do its machines come from? ([proxmox] libvirt openstack existing)',
      'Where is the API of Proxmox?',
      '! Expected a URL that begins with https://, found "pve1". For example: https://pve1.example.org:8006',
      'Which hosts may carry machines? (separated by commas) [pve1]',
      'What can each of them carry? (processors and memory; nothing: said later)',
      'How many control planes? (1 [3] 5)',
      'How many workers? [3]',
      'What is the network of the machines? (nothing: whatever DHCP says)',
      'Who gives them addresses? ([dhcp] static)',
      'What is the gateway?',
      'What is the first of them?',
      '! The addresses of controlPlane are not all in 10.10.0.0/24. Choose addresses of 10.10.0.0/24.',
      'Which free address shall the control planes share? (nothing: none)',
      '! The VIP 10.10.0.11 is the address of "prod-cp-0". Choose an address that no machine has.',
      'Who names the machines? ([talos] dhcp)',
      '« That is all.',
    ]);
    expect(drafted?.problems).toEqual([]);
    expect(drafted?.answers).toMatchObject({
      name: 'prod',
      hosts: ['pve1', 'pve2', 'pve3'],
      controlPlanes: 3,
      workers: 4,
      vip: '10.10.0.5',
    });
  });

  test('libvirt on this machine: nothing but defaults', async () => {
    const { heard, drafted } = await conversation({ folder: 'lab' }, [true, 'libvirt', '', '', true, true, '', true]);
    expect(heard).toEqual([
      '» A platform, in one file',
      'What is it called? [lab]',
      'Where do its machines come from? ([proxmox] libvirt openstack existing)',
      'Which hosts? (separated by commas; nothing: this machine)',
      'What can each of them carry? (processors and memory; nothing: said later)',
      'How many control planes? ([1] 3 5)',
      'How many workers? [1]',
      'What is the network of the machines? (nothing: whatever DHCP says)',
      'Who names the machines? ([talos] dhcp)',
      '« That is all.',
    ]);
    expect(drafted?.problems).toEqual([]);
  });

  test('OpenStack', async () => {
    const { heard, drafted } = await conversation({ folder: 'x' }, [
      'tenant',
      'openstack',
      '',
      'prod',
      true,
      true,
      'many',
      '2',
      '',
      '',
      'dhcp',
    ]);
    expect(heard.slice(3)).toEqual([
      'Which cloud of clouds.yaml?',
      '! The name of the cloud in clouds.yaml is not known. For example: NAME, or set OS_CLOUD',
      'Which availability zones? (separated by commas) [nova]',
      'How many control planes? (1 [3] 5)',
      'How many workers? [3]',
      '! Use a whole number.',
      'What is the network of the machines? (nothing: whatever DHCP says)',
      'Which free address shall the control planes share? (nothing: none)',
      'Who names the machines? ([talos] dhcp)',
      '« That is all.',
    ]);
    expect(drafted?.problems).toEqual([]);
  });

  test('machines that are there', async () => {
    const { heard, drafted } = await conversation({ folder: 'metal' }, [
      'Metal 1', true, 'existing', '', '10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4', true, true, '', '', true,
    ]); // prettier-ignore
    expect(heard.slice(1)).toEqual([
      'What is it called? [metal]',
      '! Expected lower-case letters, digits and dashes, found "Metal 1". For example: prod',
      'Where do its machines come from? ([proxmox] libvirt openstack existing)',
      'At which addresses do they wait? (control planes first, separated by commas)',
      '! Where the machines wait is not known. For example: 10.10.0.11,10.10.0.12,10.10.0.13',
      'How many control planes? (1 [3] 5)',
      'How many workers? [1]',
      'What is the network of the machines? (nothing: whatever DHCP says)',
      'Which free address shall the control planes share? (nothing: none)',
      'Who names the machines? ([talos] dhcp)',
      '« That is all.',
    ]);
    expect(drafted?.problems).toEqual([]);
  });

  test('what a flag has said is not asked', async () => {
    const { heard } = await conversation(
      {
        name: 'a',
        provider: 'proxmox',
        endpoint: 'https://a:8006',
        hosts: ['a'],
        capacity: '4,8GiB',
        controlPlanes: 3,
        workers: 0,
        network: '10.0.0.0/24',
        addresses: 'dhcp',
        vip: '10.0.0.5',
        hostnames: 'dhcp',
      },
      [],
    );
    expect(heard).toEqual(['» A platform, in one file', '« That is all.']);
  });

  test('a gateway that is known is not asked for again', async () => {
    const { given, heard } = await conversation(
      {
        name: 'a',
        provider: 'libvirt',
        hosts: ['a'],
        capacity: '4,8GiB',
        controlPlanes: 1,
        workers: 0,
        network: '10.0.0.0/24',
        gateway: '10.0.0.1',
      },
      ['static', '10.0.0.11', true],
    );
    expect(heard.slice(1, -2)).toEqual(['Who gives them addresses? ([dhcp] static)', 'What is the first of them?']);
    expect(given?.addresses).toBe('static:10.0.0.11');
  });

  test.each([
    [[giveUp]],
    [[true, giveUp]],
    [[true, 'proxmox', giveUp]],
    [[true, 'libvirt', '', '', true, true, '10.0.0.0/24', giveUp]],
    [[true, 'libvirt', '', '', true, true, '10.0.0.0/24', 'static', giveUp]],
    [[true, 'libvirt', '', '', true, true, '10.0.0.0/24', 'static', '10.0.0.1', giveUp]],
    [[true, 'libvirt', '', '', true, true, '', giveUp]],
  ])('whoever has had enough can leave at any time: %#', async (answers) => {
    const { given, heard } = await conversation({ folder: 'a' }, answers as readonly (string | true | typeof giveUp)[]);
    expect([given, heard.at(-1)]).toEqual([undefined, '× Enough for now.']);
  });
});
