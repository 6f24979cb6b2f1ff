/** Numbers of TLS alerts by what OpenSSL calls them; its names changed between the versions that Node 20 and Node 24 carry. */
const numbers: Readonly<Record<string, number>> = {
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 116,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 70,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 48,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 45,
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED': 45,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 42,
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': 42,
};

export const alertOf = (code: string | undefined): number | undefined => numbers[code ?? ''];
