import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../transcript.ts'
import { parting } from './play.ts'

const undeclared = '.nonsense: field not declared in schema'
const mistyped = '.data.a: expected string, got 1'

function refusal(problems: string): Step {
  const message = `failed to create typed patch object (/a; /v1, Kind=ConfigMap): ${problems}`
  const body = { kind: 'Status', code: 500, message }
  const request = { method: 'PATCH', target: '/api/v1/namespaces/x/configmaps/a' }
  return { kind: 'request', request, reply: { status: 500, headers: {}, body } }
}

test('faults that the real server met before it stopped are compared with all that there are', () => {
  const all = refusal(`errors:\n  ${mistyped}\n  ${undeclared}`)
  assert.equal(parting([refusal(undeclared)], [all]), undefined)
  assert.equal(parting([refusal(`errors:\n  ${undeclared}\n  ${mistyped}`)], [all]), undefined)
  assert.match(parting([refusal('.other: field not declared in schema')], [all])?.difference ?? '', /message/)
  assert.match(parting([refusal(mistyped)], [all])?.difference ?? '', /message/, 'nothing made the real one stop')
  assert.match(parting([all], [refusal(undeclared)])?.difference ?? '', /message/)
})
