import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** An empty folder that is gone when the test is over. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ichor-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The same for all tests of a file or a describe. */
export function folderForAll(): string {
  const path = mkdtempSync(join(tmpdir(), 'ichor-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
