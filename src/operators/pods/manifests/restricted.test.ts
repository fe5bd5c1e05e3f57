import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { renderAzureWebhookManifests } from './azure.ts'
import { renderBothWebhookManifests } from './both.ts'
import { renderPodWebhookManifests } from './render.ts'

interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] }
  readonly readOnlyRootFilesystem?: boolean
  readonly runAsNonRoot?: boolean
  readonly runAsUser?: number
  readonly privileged?: boolean
  readonly seccompProfile?: { readonly type: string }
}
interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly securityContext?: SecurityContext
        readonly containers: readonly { readonly securityContext?: SecurityContext }[]
        readonly hostNetwork?: boolean
      }
    }
  }
}

// What the standard `restricted` of Pod Security demands, and a file system that cannot be written.
for (const [what, objects] of [
  ['for AWS', renderPodWebhookManifests({})],
  ['for Azure', renderAzureWebhookManifests({ tenantId: 'tenant' })],
  ['for both', renderBothWebhookManifests({ tenantId: 'tenant' })],
] as const)
  test(`the webhook ${what} may run where pods are restricted, and writes nothing`, () => {
    const deployments = objects.filter(({ kind }) => kind === 'Deployment') as unknown as readonly Deployment[]
    assert.equal(deployments.length, 1)
    for (const { spec } of deployments) {
      const { securityContext: ofPod = {}, containers, hostNetwork = false } = spec.template.spec
      assert.equal(hostNetwork, false)
      assert.equal(containers.length, 1)
      for (const { securityContext = {} } of containers) {
        const { privileged = false, capabilities, runAsUser, ...rest } = { ...ofPod, ...securityContext }
        assert.deepEqual({ privileged, capabilities }, { privileged: false, capabilities: { drop: ['ALL'] } })
        assert.notEqual(runAsUser, 0)
        const { allowPrivilegeEscalation, readOnlyRootFilesystem, runAsNonRoot, seccompProfile } = rest
        assert.deepEqual(
          [allowPrivilegeEscalation, readOnlyRootFilesystem, runAsNonRoot, seccompProfile],
          [false, true, true, { type: 'RuntimeDefault' }],
        )
      }
    }
  })
