// What the operand's Secret holds, and what OpenShift is asked for, against what the existing operator gives for the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOf } from '../convert/convert.ts'
import { decodeSecret, encodeSecret } from '../operand/content-hash.ts'
import { noVectors, readVectors } from '../testing/vectors.fixture.ts'
import { type CredentialsRequest, wantedCredentialsRequest } from './request.ts'
import { goJson, targetData } from './target-data.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('every recorded Secret becomes the recorded Secret, or is refused in the recorded words [21.2]', { skip }, () => {
  for (const { id, cr, source, isOpenShift, target, error } of vectors?.credentialSecrets ?? []) {
    const made = targetData(modelOf(cr).spec, decodeSecret(source), isOpenShift)
    if (error !== undefined) assert.deepEqual(made, { problem: error }, id)
    else assert.deepEqual('data' in made ? encodeSecret(made.data) : made, target?.data, id)
  }
})

test('every recorded CredentialsRequest is asked for, and none where none was [21.8]', { skip }, () => {
  for (const { id, cr, settings, credentialsRequest } of vectors?.deployments ?? []) {
    const { platformStatus } = settings
    const platform = {
      isOpenShift: settings.isOpenShift,
      type: platformStatus?.type ?? '',
      awsRegion: platformStatus?.aws?.region ?? '',
      gcpProject: platformStatus?.gcp?.projectID ?? '',
    }
    const { operatorNamespace } = settings
    const asked = wantedCredentialsRequest({ name: cr.metadata.name, spec: modelOf(cr).spec, platform, operatorNamespace })
    const recorded = credentialsRequest as CredentialsRequest | null
    assert.deepEqual(asked?.spec, recorded?.spec, id)
    assert.equal(asked?.metadata.name, recorded?.metadata.name, id)
    assert.equal(asked?.metadata.namespace, recorded?.metadata.namespace, id)
  }
})

test('JSON is written as Go writes it', () => {
  const text = 'a<b>&c\u2028\u2029\b\f\n\r\t\u0001"\\b\\'
  const expected = '"a\\u003cb\\u003e\\u0026c\\u2028\\u2029\\b\\f\\n\\r\\t\\u0001\\"\\\\b\\\\"'
  assert.equal(goJson(text), expected)
})
