import { among, done, like, refused, wrong } from '../case.ts';
import type { Chapter } from '../case.ts';

const version = { version: '9.2.11', release: '9.2', repoid: '14a22df3' };
const text = (status: number, reason: string): { status: number; reason: string; body: string } => ({
  status,
  reason,
  body: reason,
});

export const envelopes: Chapter = {
  title: 'envelopes',
  cases: [
    done('a read has its data', 'GET /version', {}, version),
    done('a slash too many is none', 'GET //version/', {}, version),
    done('what keeps caches away is not looked at', 'GET /version?_dc=1234', {}, version),
    {
      name: 'another form says whether it went well',
      call: 'GET /version',
      asked: { format: 'extjs' },
      status: 200,
      body: { success: 1, data: version },
    },
    {
      name: 'and what did not, with a good status',
      call: 'GET /elsewhere',
      asked: { format: 'extjs' },
      status: 200,
      body: { success: 0, data: null, status: 501, message: "Method 'GET /elsewhere' not implemented" },
    },
    {
      name: 'a path that nobody knows',
      call: 'GET /elsewhere',
      status: 501,
      reason: "Method 'GET /elsewhere' not implemented",
      body: { data: null, message: "Method 'GET /elsewhere' not implemented" },
    },
    {
      name: 'a method that a path does not have',
      call: 'PUT /version',
      status: 501,
      reason: "Method 'PUT /version' not implemented",
      body: { data: null, message: "Method 'PUT /version' not implemented" },
    },
    {
      name: 'a form that nobody writes',
      call: 'GET /version',
      asked: { format: 'toml' },
      ...text(501, 'no formatter for uri /version, toml'),
    },
    {
      name: 'a body where there is none',
      call: 'DELETE /pools',
      asked: { form: 'poolid=a' },
      ...text(501, "Unexpected content for method 'DELETE'"),
    },
    {
      name: 'a body of another kind',
      call: 'POST /pools',
      asked: { form: 'poolid: a', more: ['Content-Type: application/yaml'] },
      ...text(506, "upload 'Content-Type 'application/yaml' not implemented"),
    },
    wrong(
      'a name that is nowhere described',
      'GET /version?colour=red',
      {},
      {
        colour: 'property is not defined in schema and the schema does not allow additional properties',
      },
    ),
    refused(
      'a host that is not there',
      'GET /nodes/attic/status',
      {},
      500,
      "hostname lookup 'attic' failed - failed to get address info for: attic: Temporary failure in name resolution",
    ),
    {
      name: 'the host that is asked has a second name',
      call: 'GET /nodes/localhost/version',
      status: 200,
      body: { data: version },
    },
    wrong(
      'a path that says something else than the body',
      'PUT /pools/a',
      { form: 'poolid=b' },
      {
        poolid: 'duplicate parameter (already defined in URI) with conflicting values!',
      },
    ),
    refused(
      'one name twice where a path is made of it',
      'POST /pools',
      { form: 'poolid=a&poolid=b' },
      403,
      'Permission check failed (, Pool.Allocate)',
    ),
    done('what the query says wins', 'POST /pools?poolid=query', { form: 'poolid=body' }),
    done('JSON is read too', 'POST /pools', { json: { poolid: 'json', comment: 'größer' } }),
    done('nothing in JSON is nothing said', 'PUT /pools', { json: { poolid: 'json', comment: null } }),
    done('a list of JSON is a list', 'PUT /pools', { json: { poolid: 'json', vms: ['4001', 4002] } }),
    wrong(
      'an object is no text',
      'PUT /pools',
      { json: { poolid: 'json', comment: { a: 1 } } },
      {
        comment: "type check ('string') failed - got HASH",
      },
    ),
    done('a yes of JSON is a yes', 'PUT /pools', { json: { poolid: 'json', vms: '4001,4002', delete: true } }),
    wrong(
      'a yes in a form is none',
      'PUT /pools',
      { form: 'poolid=json&delete=true' },
      {
        delete: "type check ('boolean') failed - got 'true'",
      },
    ),
    {
      name: 'what was said is what is kept',
      call: 'GET /pools',
      status: 200,
      body: {
        data: among([{ poolid: 'query' }, { poolid: 'json', comment: 'größer' }]),
      },
    },
    {
      name: 'a body that is no JSON',
      call: 'POST /pools',
      asked: { form: '{oops', more: ['Content-Type: application/json'] },
      status: 500,
      reason: like(/'"' expected, at character offset 1 \(before "oops"\) at /),
      body: like(/line \d+\.\n$/),
    },
    {
      name: 'a body that comes in chunks',
      call: 'POST /pools',
      asked: { more: ['Transfer-Encoding: chunked'] },
      ...text(501, 'chunked transfer encoding not supported'),
    },
    {
      name: 'a body that is too long',
      call: 'POST /pools',
      asked: { form: `comment=${'x'.repeat(512 * 1024)}` },
      ...text(501, 'for data too large'),
    },
  ],
};
