// A reader of a page in an empty folder of his own, with the programs that the page takes for granted and a kubeconfig.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createReader, type Reader } from './guide-steps.ts'

export interface PageReader extends Reader, AsyncDisposable {}

interface PageReaderOptions {
  readonly kubeconfig: string
  /** By name, what a shell does in the place of each. */
  readonly programs: Readonly<Record<string, string>>
}

export function openPageReader({ kubeconfig, programs }: PageReaderOptions): PageReader {
  const home = mkdtempSync(join(tmpdir(), 'vouch-reader-'))
  const [bin, folder] = [join(home, 'bin'), join(home, 'here')]
  for (const each of [bin, folder]) mkdirSync(each)
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(home, 'kubeconfig'), kubeconfig, { mode: 0o600 })
  const PATH = [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
  const reader = createReader(folder, { PATH, HOME: home, KUBECONFIG: join(home, 'kubeconfig') })
  return Object.assign(reader, {
    [Symbol.asyncDispose]: async () => {
      reader.leave()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  })
}
