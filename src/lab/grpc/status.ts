/** Codes of gRPC that a node answers with. */
export const grpcCode = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcCodeName = keyof typeof grpcCode;

/** How a call ends when it does not end well; the server turns it into trailers. */
export class GrpcStatus extends Error {
  override readonly name = 'GrpcStatus';
  readonly code: number;

  constructor(code: GrpcCodeName | number, message: string) {
    super(message);
    this.code = typeof code === 'number' ? code : grpcCode[code];
  }
}
