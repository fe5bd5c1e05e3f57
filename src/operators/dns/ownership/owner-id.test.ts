import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsObject } from '../api/kinds.ts'
import type { ApiVersionName } from '../api/names.ts'
import { chooseOwner } from './owner-id.ts'

interface Case {
  readonly origin?: ApiVersionName
  readonly asked?: string
  readonly held?: string
  readonly mayChange?: boolean
}

function chosen({ origin = 'v1beta2', asked, held, mayChange = false }: Case, clusterId = ''): string {
  const spec = {
    provider: { type: 'AWS' },
    source: { type: 'Service' },
    ...(asked === undefined ? {} : { ownership: { ownerID: asked } }),
  }
  const annotations = { 'externaldns.olm.openshift.io/allow-owner-change': String(mayChange) }
  const status = held === undefined ? {} : { operand: { ownerID: held } }
  const object = { apiVersion: '', kind: '', metadata: { name: 'blue', annotations }, spec, status }
  const { ownerId, problem } = chooseOwner(object as DnsObject, { origin, spec }, clusterId)
  return problem === undefined ? ownerId : `${ownerId}, refused`
}

test('records stand under the name of their object, in the newest version with the cluster where it has a name [#91]', () => {
  assert.equal(chosen({}), 'external-dns-blue')
  assert.equal(chosen({}, 'east'), 'external-dns-east-blue')
  assert.equal(chosen({ origin: 'v1beta1' }, 'east'), 'external-dns-blue')
  assert.equal(chosen({ asked: 'mine' }, 'east'), 'mine')
})

test('an owner id that is in use stays, whatever changes around it, until somebody asks for another one twice [#92]', () => {
  assert.equal(chosen({ held: 'external-dns-blue' }, 'east'), 'external-dns-blue')
  assert.equal(chosen({ held: 'old', asked: 'new' }), 'old, refused')
  assert.equal(chosen({ held: 'old', asked: 'new', mayChange: true }), 'new')
})
