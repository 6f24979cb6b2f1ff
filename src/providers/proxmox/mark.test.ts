import { describe, expect, test } from 'vitest';
import { descriptionFor, isOursToFinish, lacking, tagsFor, uuidIn, writtenIn } from './mark.ts';

const mark = { platform: 'prod', name: 'prod-cp-0', uuid: '0b5f6f0e-4d1c-5d0b-8a5f-3c2e8b140001' };
const config = {
  tags: tagsFor(mark, 'control-plane', []).join(';'),
  description: descriptionFor(mark, 'control-plane', 401),
  smbios1: `uuid=${mark.uuid}`,
};

test('the notes are for people, with one line that is for us', () => {
  expect(descriptionFor(mark, 'control-plane', 401)).toBe(
    [
      '### prod-cp-0',
      '',
      'Control plane of the platform **prod**, made and kept by ichor.',
      'ichor looks for the line below, the tags and the UUID before it touches this machine: leave them as they are.',
      '',
      '`ichor platform=prod machine=prod-cp-0 uuid=0b5f6f0e-4d1c-5d0b-8a5f-3c2e8b140001 vmid=401`',
    ].join('\n'),
  );
  expect(writtenIn(config)).toEqual({ mark, vmid: 401 });
});

test('tags are few, sorted and small', () => {
  expect(tagsFor(mark, 'worker', ['Team-A', 'ichor'])).toEqual(['ichor', 'ichor-prod', 'team-a', 'worker']);
});

describe('a machine is proved', () => {
  test('by its UUID, the line and the tags together', () => {
    expect(lacking(config, 401, mark)).toEqual([]);
  });

  test('however people spell what they may touch', () => {
    const spelled = {
      tags: 'A;Ichor-prod;ICHOR',
      description: `my own notes\n\n${config.description}\nand more`,
      smbios1: `base64=1,serial=YWJj,uuid=${mark.uuid.toUpperCase()}`,
    };
    expect(lacking(spelled, 401, mark)).toEqual([]);
  });

  test.each<[what: string, changed: object, vmid: number, missing: readonly string[]]>([
    ['a clone has another UUID', { smbios1: 'uuid=11111111-2222-4333-8444-555555555555' }, 401, ['the UUID']],
    ['a copy that was restored has another VMID', {}, 402, ['the line in its notes']],
    ['one without its notes', { description: undefined }, 401, ['the line in its notes']],
    ['one without its tags', { tags: 'ichor' }, 401, ['the tags']],
    ['another platform’s', { tags: 'ichor;ichor-prod2' }, 401, ['the tags']],
    [
      'a stranger',
      { tags: ' ', description: 'web', smbios1: 'uuid=1' },
      401,
      ['the UUID', 'the line in its notes', 'the tags'],
    ],
    [
      'one that is being made',
      { tags: undefined, description: undefined, smbios1: undefined, lock: 'create' },
      401,
      ['the UUID', 'the line in its notes', 'the tags'],
    ],
  ])('and not otherwise: %s', (_, changed, vmid, missing) => {
    expect(lacking({ ...config, ...changed }, vmid, mark)).toEqual(missing);
  });

  test('one that only lacks its tags is ours to finish', () => {
    expect(isOursToFinish({ ...config, tags: undefined }, 401, mark)).toBe(true);
    expect(isOursToFinish({ ...config, smbios1: undefined }, 401, mark)).toBe(false);
  });
});

test('a VM without a UUID has none', () => {
  expect([uuidIn({}), uuidIn({ smbios1: 'serial=YWJj' })]).toEqual([undefined, undefined]);
});
