// The guides on Azure, followed as they stand: every command, in an empty folder, by the `vouch` of the packed package.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { createReader, followGuide, type Reader } from '../real/guide-steps.ts'
import { guideBlocks } from './guide-blocks.ts'
import { type Outsider, unpackForOutsider } from './package.ts'

const top = join(import.meta.dirname, '../..')
let unpacked: Outsider | undefined
after(() => unpacked?.remove())

/** The program that an install puts on the path. */
function program(): string {
  unpacked ??= unpackForOutsider()
  const folder = join(unpacked.folder, 'node_modules/vouch')
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: { vouch: string } }
  return join(folder, bin.vouch)
}

function openReader(t: TestContext): Reader {
  const home = mkdtempSync(join(tmpdir(), 'vouch-azure-guide-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const [bin, folder] = [join(home, 'bin'), join(home, 'here')]
  for (const made of [bin, folder]) mkdirSync(made)
  const vouch = join(bin, 'vouch')
  writeFileSync(vouch, `#!/bin/sh\nexec '${process.execPath}' '${program()}' "$@"\n`)
  chmodSync(vouch, 0o755)
  return createReader(folder, { PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: home })
}

test('azure.md: a pod gets its identity, and the manifests are printed', { timeout: 120_000 }, async t => {
  const reader = openReader(t)
  await followGuide('azure.md', reader)
  const manifests = readFileSync(join(reader.folder, 'azure-webhook.yaml'), 'utf8')
  assert.match(manifests, /AZURE_TENANT_ID: contoso\.example/)
  assert.match(manifests, /cidr: 10\.0\.0\.0\/28/)
})

test('both-clouds.md: a pod gets both identities', { timeout: 120_000 }, async t => {
  await followGuide('both-clouds.md', openReader(t))
})

test('hosted-control-planes.md: what belongs to a control plane is printed, and the operator’s manifests', {
  timeout: 120_000,
}, async t => {
  const reader = openReader(t)
  await followGuide('hosted-control-planes.md', reader)
  assert.match(readFileSync(join(reader.folder, 'hosted.yaml'), 'utf8'), /image: registry\.example\.com\/vouch:1/)
  assert.match(readFileSync(join(reader.folder, 'operator.yaml'), 'utf8'), /hostedcontrolplanes/)
})

test('the example has what the guides show', () => {
  const example = (name: string): string => readFileSync(join(top, 'examples/azure', name), 'utf8')
  const blocks = ['azure.md', 'both-clouds.md'].flatMap(guideBlocks)
  for (const name of ['serviceaccount.yaml', 'both.yaml'])
    assert.equal(blocks.find(({ use }) => use.kind === 'file' && use.name === name)?.text, example(name))
  const typed = blocks.filter(({ text }) => text.includes(`<<'EOF'\n${example('review.json')}EOF\n`))
  assert.equal(typed.length, 2)
})
