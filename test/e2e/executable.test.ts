// The one file of the tools does its work where there is nothing else: no Node, no package, no environment.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { makeExecutable } from '../../scripts/executable/make.ts'
import { type CommandWorld, type Ended, openCommandWorld } from '../../src/cli/testing/command-world.ts'
import { remoteFlags } from '../../src/cli/testing/remote-identity.ts'

const skip = process.platform === 'linux' ? false : 'it is made of a program of Linux'
const folder = mkdtempSync(join(tmpdir(), 'vouch-one-file-'))
const tools = join(folder, 'vouch-tools')
let world: CommandWorld
before(async () => {
  if (skip !== false) return
  world = await openCommandWorld()
  await makeExecutable('src/cli/consumers/executable.ts', tools)
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** With nothing in its environment but where AWS is. */
const alone = (program: string, args: readonly string[] = []): Promise<Ended> =>
  world.run(`env -i AWS_ENDPOINT_URL="$AWS_ENDPOINT_URL" ${join(folder, program)} ${args.join(' ')}`)

test('one file gives credentials, by its name and by a word, and needs nothing beside it', { skip }, async () => {
  const names = ['aws-remote-irsa-credential-process', 'aws-irsa-sidecar'] as const
  for (const name of names) symlinkSync(tools, join(folder, name))
  const flags = [...remoteFlags, '--kubeconfig=hub.kubeconfig']
  for (const told of [await alone(names[0], flags), await alone('vouch-tools', ['credential-process', ...flags])]) {
    assert.deepEqual([told.code, told.stderr], [0, ''])
    assert.match(told.stdout, /^\{"Version":1,"AccessKeyId":"ASIA/)
  }
  const checked = await alone(names[1], ['check', '--token-file=/none', '--aws-config-file=/none-either'])
  assert.deepEqual([checked.code, checked.stdout, checked.stderr], [1, '', 'token file /none is not there\n'])
  const nobody = await alone('vouch-tools')
  assert.deepEqual([nobody.code, nobody.stdout], [1, ''])
  assert.match(nobody.stderr, /^this is credential-process and sidecar of vouch: start it by a link named /)
})

test('it is 60 MB at most as a layer of an image, compressed however little [production 2.2]', { skip }, () => {
  const { length } = gzipSync(readFileSync(tools), { level: 1 })
  assert.ok(length <= 60_000_000, `${length} bytes`)
})
