import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notOurUpdates, renderValidatingConfiguration } from './validating-configuration.ts'

const service = { namespace: 'at', name: 'x', port: 443 }
const rules = [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['gears'] }] as const
const asked = { name: 'gears.example.com', path: '/validate', rules, failurePolicy: 'Fail' } as const
const always = { admissionReviewVersions: ['v1'], matchPolicy: 'Equivalent', sideEffects: 'None', timeoutSeconds: 10 }

test('a configuration without an authority leaves it to whoever fills it in, and says nothing that was not said', () => {
  assert.deepEqual(renderValidatingConfiguration({ name: 'x', service }, [asked]), {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'x' },
    webhooks: [
      {
        ...always,
        name: 'gears.example.com',
        rules,
        failurePolicy: 'Fail',
        clientConfig: { service: { ...service, path: '/validate' } },
      },
    ],
  })
})

test('labels, annotations, the authority and conditions are told where there are any', () => {
  const matchConditions = [notOurUpdates('system:serviceaccount:at:x')]
  const place = { name: 'x', service, caBundle: 'PEM', labels: { a: 'b' }, annotations: { c: 'd' } }
  const { metadata, webhooks } = renderValidatingConfiguration(place, [{ ...asked, matchConditions }])
  assert.deepEqual(metadata, { name: 'x', labels: { a: 'b' }, annotations: { c: 'd' } })
  assert.deepEqual(webhooks, [
    {
      ...always,
      name: 'gears.example.com',
      rules,
      failurePolicy: 'Fail',
      clientConfig: { service: { ...service, path: '/validate' }, caBundle: 'UEVN' },
      matchConditions: [
        {
          name: 'not-the-operators-own-updates',
          expression: "request.operation != 'UPDATE' || request.userInfo.username != 'system:serviceaccount:at:x'",
        },
      ],
    },
  ])
})
