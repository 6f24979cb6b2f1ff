/** Names that people give to secrets: TS_AUTHKEY, proxmox_api_token_secret, passphrase, privateKey. */
export const looksSecret = (name: string): boolean =>
  /pass|secret|token|credential|(?:auth|api|access|private|shared|client|encryption)[_-]?key/i.test(name);
