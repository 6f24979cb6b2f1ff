import { expect, test } from 'vitest';
import { endpointOf } from './endpoint.ts';

test.each([
  ['123.123.123.123', '123.123.123.123', 50_000],
  ['example.com:111', 'example.com', 111],
  ['234.234.234.234:4000', '234.234.234.234', 4000],
  ['https://111.111.222.222:444', '111.111.222.222', 444],
  ['https://[42a1:cfa::12f]:40000', '42a1:cfa::12f', 40_000],
  ['https://localhost:890/', 'localhost', 890],
  ['2001:db8:0:0:0:ff00:42:8329', '2001:db8:0:0:0:ff00:42:8329', 50_000],
  ['https://[be4d:c25e::f7be]', 'be4d:c25e::f7be', 443],
  ['HTTPS://www.example.com', 'www.example.com', 443],
  ['www.example.com', 'www.example.com', 50_000],
  ['[2001:db8:4006:812::200e]:8080', '2001:db8:4006:812::200e', 8080],
  ['grpc://222.22.2.1', '222.22.2.1', 50_000],
  ['grpc://[794b:389::7c]:111', '794b:389::7c', 111],
])('%s is %s at port %s', (text, host, port) => {
  expect(endpointOf(text)).toEqual({ host, port });
});
