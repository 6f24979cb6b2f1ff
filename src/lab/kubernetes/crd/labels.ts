/** Names in the API server’s words; undefined: nothing is wrong with it. */
export function labelProblem(text: string): string | undefined {
  if (text.length > 63) return 'must be no more than 63 bytes';
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text)) return undefined;
  return "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
}

export function subdomainProblem(text: string): string | undefined {
  if (text.length > 253) return 'must be no more than 253 bytes';
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)) return undefined;
  return "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
}
