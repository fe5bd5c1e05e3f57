// What a policy may not say, as a real server answered it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { ask } from '../../ask.fixture.ts'
import { createApiServer } from '../../create-api-server.ts'

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]

for (const [spec, told] of [
  [
    { auditAnnotations: [{ key: 'a', valueExpression: 'object.data.nothing' }] },
    'spec.auditAnnotations[0].valueExpression: Invalid value: "object.data.nothing": must evaluate to one of [string null_type] but got dyn',
  ],
  [
    { validations: [{ expression: 'true', reason: 'Unauthorized' }] },
    'spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
  ],
] as const)
  test(`a policy with ${JSON.stringify(spec)} is refused`, async () => {
    const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
    const { status, body } = await ask(server, 'POST', policies, {
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules }, ...spec },
    })
    assert.equal(status, 422)
    assert.equal(body.message, `ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: ${told}`)
  })
