import type { IncomingMessage } from 'node:http';
import { createHash } from 'node:crypto';
import { groupVersion } from '../discovery/registry.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { ResourceDefinition } from '../resource.ts';
import { hashOf, openApiV2, openApiV3, openApiV3Index } from './documents.ts';

/** Documents of built-in groups are the same in every twin. */
const builtin = new Map<string, string>();

/** Answers what is below `/openapi`, in JSON; the second version also in a protobuf that describes nothing. */
export function openApiHandler(
  definitions: () => readonly ResourceDefinition[],
): (path: string, info: RequestInfo, request: IncomingMessage, exchange: Exchange) => boolean {
  let swagger: { readonly of: readonly ResourceDefinition[]; readonly text: string; readonly tag: string } | undefined;
  return (path, _, request, exchange) => {
    const all = definitions();
    if (path === '/openapi/v2') {
      if (protobuf.test(request.headers.accept ?? '')) {
        exchange.tagged(nothingDescribed, '"NOTHING"', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
        return true;
      }
      if (!accepts(request.headers.accept)) {
        exchange.text(406, '');
        return true;
      }
      if (swagger?.of !== all) {
        const text = JSON.stringify(openApiV2(all));
        swagger = { of: all, text, tag: `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"` };
      }
      exchange.tagged(swagger.text, swagger.tag, 'application/json');
      return true;
    }
    if (path === '/openapi/v3') {
      exchange.text(200, JSON.stringify(openApiV3Index(all)));
      return true;
    }
    const version = /^\/openapi\/v3\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))$/.exec(path)?.slice(1).find(Boolean);
    const own = all.filter((each) => groupVersion(each) === version);
    if (version === undefined || own.length === 0) return false;
    exchange.tagged(
      documentOf(
        all,
        version,
        own.some(({ custom }) => custom),
      ),
      `"${hashOf(version, own)}"`,
      'application/json',
    );
    return true;
  };
}

function documentOf(all: readonly ResourceDefinition[], version: string, isCustom: boolean): string {
  if (isCustom) return JSON.stringify(openApiV3(all, version));
  let text = builtin.get(version);
  if (text === undefined) builtin.set(version, (text = JSON.stringify(openApiV3(all, version))));
  return text;
}

const protobuf = /application\/com\.github\.proto-openapi\.spec\.v2[.@]v1\.0\+protobuf/;

/**
 * A whole document, without a single type. kubectl asks for it when the third version does not have a kind, and goes on to say that
 * nobody has it; what it is about to learn here it would not use.
 */
const nothingDescribed = field(1, '2.0') + field(2, field(1, 'Kubernetes') + field(2, 'v1.36.3'));

/** A text of protobuf shorter than 128 signs. */
function field(number: number, text: string): string {
  return String.fromCharCode((number << 3) | 2, text.length) + text;
}

const accepts = (accept: string | undefined): boolean =>
  (accept ?? '*/*').split(',').some((each) => /^\s*(\*\/\*|application\/(json|\*))\s*(;|$)/.test(each));
