import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { compileFunction } from 'node:vm'
import { CreateRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { createAws, sdkRequestHandler } from '#emulator'

test('the test in the guide to AWS without an account runs and passes', async () => {
  const text = await readFile(new URL('../../../docs/guides/test-against-aws.md', import.meta.url), 'utf8')
  const block = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  assert.match(block, /from 'vouch\/emulator'/)
  const bodies: (() => Promise<void>)[] = []
  const define = (_name: string, body: () => Promise<void>): void => void bodies.push(body)
  const names = ['assert', 'test', 'createAws', 'sdkRequestHandler', 'CreateRoleCommand', 'IAMClient']
  const run = compileFunction(stripTypeScriptTypes(block.replace(/^import .*\n/gm, '')), names) as (...values: unknown[]) => void
  run(assert, define, createAws, sdkRequestHandler, CreateRoleCommand, IAMClient)
  assert.equal(bodies.length, 1)
  await bodies[0]?.()
})
