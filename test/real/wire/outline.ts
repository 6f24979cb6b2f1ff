import {
  ScalarType,
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescService,
} from '@bufbuild/protobuf';

/** What a wire definition says, one line per fact, each with its full name; two outlines can be compared as sets. */
export type Outline = {
  /** Full name of each message to its fields. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly methods: ReadonlyMap<string, string>;
};

export function outline(files: Iterable<DescFile>): Outline {
  const messages = new Map<string, readonly string[]>();
  const enums = new Map<string, readonly string[]>();
  const methods = new Map<string, string>();
  const addEnum = (desc: DescEnum): void => void enums.set(desc.typeName, desc.values.map(valueLine).toSorted());
  const addMessage = (desc: DescMessage): void => {
    messages.set(desc.typeName, desc.fields.map(fieldLine).toSorted());
    desc.nestedMessages.forEach(addMessage);
    desc.nestedEnums.forEach(addEnum);
  };
  const addService = (desc: DescService): void =>
    desc.methods.forEach((method) => void methods.set(`${desc.typeName}/${method.name}`, methodLine(method)));
  for (const file of files) {
    file.enums.forEach(addEnum);
    file.messages.forEach(addMessage);
    file.services.forEach(addService);
  }
  return { messages, enums, methods };
}

const valueLine = (value: DescEnum['values'][number]): string => `${value.number} ${value.name}`;

const methodLine = (method: DescMethod): string =>
  `${method.methodKind} ${method.input.typeName} → ${method.output.typeName}`;

/** The presence and the packing are wire facts too: a proto3 `optional` or an unpacked list is another field. */
function fieldLine(field: DescField): string {
  const oneof = field.oneof === undefined ? '' : ` in ${field.oneof.name}`;
  const packed = field.fieldKind === 'list' ? ` ${field.packed ? 'packed' : 'unpacked'}` : '';
  return `${field.number} ${field.name} ${typeOf(field)} presence=${field.presence}${packed}${oneof}`;
}

function typeOf(field: DescField): string {
  switch (field.fieldKind) {
    case 'scalar':
      return scalarName(field.scalar);
    case 'enum':
      return field.enum.typeName;
    case 'message':
      return field.message.typeName;
    case 'list':
      return `[]${elementOf(field)}`;
    case 'map':
      return `map<${scalarName(field.mapKey)},${elementOf(field)}>`;
  }
}

const elementOf = (field: DescField & { fieldKind: 'list' | 'map' }): string =>
  field.message?.typeName ?? field.enum?.typeName ?? scalarName(field.scalar);

const scalarName = (scalar: ScalarType | undefined): string =>
  scalar === undefined ? 'nothing' : (ScalarType[scalar] ?? String(scalar)).toLowerCase();
