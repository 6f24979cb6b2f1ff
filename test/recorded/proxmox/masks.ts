/** Texts of two runs are the same up to processes, moments, ids and places. */
export const masked = (text: string): string =>
  text
    .replaceAll(/UPID:([^:]+):[0-9A-F]{8}:[0-9A-F]{8,9}:[0-9A-F]{8}:/g, 'UPID:$1:<pid>:<pstart>:<time>:')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>')
    .replaceAll(/\b[0-9a-f]{40}\b/g, '<sha1>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<sha256>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>')
    .replaceAll(/\([\d.]+ [KMG]?B\/s\)/g, '(<speed>)')
    .replaceAll(/100% +[\d.]+[KMGT]?=[\d.]+s/g, '100% <speed>')
    .replaceAll(/Temporary failure in name resolution|Name or service not known/g, '<resolver>')
    .replaceAll(/tmp_dwnl\.\d+/g, 'tmp_dwnl.<pid>')
    .replaceAll(/(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/g, '<fingerprint>')
    .replaceAll(/\bBC:24:11(?::[0-9A-F]{2}){3}\b/gi, '<mac>')
    .replaceAll(/ctime=\d+/g, 'ctime=<time>')
    .replaceAll(/creation-qemu=[\d.]+/g, 'creation-qemu=<version>')
    .replaceAll(/pveupload-[0-9a-f]+/g, 'pveupload-<id>')
    .replaceAll(/\.tmp\.\d+/g, '.tmp.<pid>')
    .replaceAll(/ at \/\S+ line \d+\./g, ' at <file> line <n>.')
    .replaceAll(/127\.0\.0\.1:\d{2,5}\b/g, '127.0.0.1:<port>')
    .replaceAll(/\b(10\.13\.13\.\d+|127\.80\.\d+\.\d+)\b/g, '<host>')
    .replaceAll(/PVE:[^:]+:[^:]+::[^"\s]+/g, '<ticket>')
    .replaceAll(/<secret>|<csrf>|<password>/g, '<secret>');
