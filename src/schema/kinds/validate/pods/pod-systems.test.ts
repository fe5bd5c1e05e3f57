import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const program = 'If pod contains any hostProcess containers then all containers must be HostProcess containers'
const onNetwork = 'hostNetwork must be true if pod contains any hostProcess containers'
const identical = 'pod hostProcess value must be identical if both are specified'
const notWindows = 'Forbidden: cannot be set for a windows pod'
const notLinux = 'Forbidden: windows options cannot be set for a linux pod'
const context = 'spec.securityContext'
const [first, main] = ['spec.initContainers[0].securityContext', 'spec.containers[0].securityContext']

const on = (name: string, spec: JsonObject): JsonObject => ({ os: { name }, ...spec })
const inWindows = (windowsOptions: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'a',
  image: 'web:1',
  securityContext: { windowsOptions },
  ...more,
})

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [on('windows', { hostPID: false, securityContext: { sysctls: [], windowsOptions: {} } })],
  [
    on('windows', {
      hostUsers: true,
      hostPID: true,
      hostIPC: true,
      hostNetwork: true,
      shareProcessNamespace: false,
      securityContext: {
        appArmorProfile: { type: 'RuntimeDefault' },
        seLinuxOptions: {},
        seccompProfile: { type: 'RuntimeDefault' },
        fsGroup: 1,
        fsGroupChangePolicy: 'Always',
        sysctls: [{ name: 'a', value: 'b' }],
        runAsUser: 1,
        runAsGroup: 1,
        runAsNonRoot: true,
        supplementalGroups: [1],
        supplementalGroupsPolicy: 'Merge',
        seLinuxChangePolicy: 'Recursive',
      },
    }),
    `${context}.appArmorProfile: ${notWindows}`,
    `${context}.seLinuxOptions: ${notWindows}`,
    `spec.hostUsers: ${notWindows}`,
    `spec.hostPID: ${notWindows}`,
    `spec.hostIPC: ${notWindows}`,
    `${context}.seccompProfile: ${notWindows}`,
    `${context}.fsGroup: ${notWindows}`,
    `${context}.fsGroupChangePolicy: ${notWindows}`,
    `${context}.sysctls: ${notWindows}`,
    `spec.shareProcessNamespace: ${notWindows}`,
    `${context}.runAsUser: ${notWindows}`,
    `${context}.runAsGroup: ${notWindows}`,
    `${context}.supplementalGroups: ${notWindows}`,
    `${context}.supplementalGroupsPolicy: ${notWindows}`,
    `${context}.seLinuxChangePolicy: ${notWindows}`,
  ],
  [
    on('windows', {
      initContainers: [{ name: 'i', image: 'web:1', securityContext: { privileged: false } }],
      containers: [
        {
          name: 'a',
          image: 'web:1',
          securityContext: {
            appArmorProfile: { type: 'RuntimeDefault' },
            seLinuxOptions: {},
            seccompProfile: { type: 'RuntimeDefault' },
            capabilities: {},
            readOnlyRootFilesystem: false,
            allowPrivilegeEscalation: false,
            procMount: 'Default',
            runAsUser: 1,
            runAsGroup: 1,
            runAsNonRoot: true,
          },
        },
      ],
    }),
    `${first}.privileged: ${notWindows}`,
    `${main}.appArmorProfile: ${notWindows}`,
    `${main}.seLinuxOptions: ${notWindows}`,
    `${main}.seccompProfile: ${notWindows}`,
    `${main}.capabilities: ${notWindows}`,
    `${main}.readOnlyRootFilesystem: ${notWindows}`,
    `${main}.allowPrivilegeEscalation: ${notWindows}`,
    `${main}.procMount: ${notWindows}`,
    `${main}.runAsUser: ${notWindows}`,
    `${main}.runAsGroup: ${notWindows}`,
  ],
  [
    on('linux', {
      securityContext: { windowsOptions: {} },
      initContainers: [inWindows({}, { name: 'i' })],
      containers: [inWindows({})],
    }),
    `${context}.windowsOptions: ${notLinux}`,
    `${first}.windowsOptions: ${notLinux}`,
    `${main}.windowsOptions: ${notLinux}`,
  ],
  [{ hostNetwork: true, containers: [inWindows({ hostProcess: true })] }],
  [
    { containers: [inWindows({ hostProcess: true, gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '', runAsUserName: '' })] },
    `${main}.windowsOptions.gmsaCredentialSpecName: Invalid value: "A": ${subdomain}`,
    `${main}.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string`,
    `${main}.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string`,
    `spec.hostNetwork: Invalid value: false: ${onNetwork}`,
  ],
  [
    {
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true } },
      initContainers: [{ name: 'i', image: 'web:1' }],
      containers: [inWindows({ hostProcess: false })],
    },
    `${main}.windowsOptions.hostProcess: Invalid value: false: ${identical}, was true`,
    `spec: Invalid value: "": ${program}`,
  ],
  [
    {
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: false } },
      containers: [inWindows({ hostProcess: true })],
    },
    `${main}.windowsOptions.hostProcess: Invalid value: true: ${identical}, was false`,
  ],
]

for (const [spec, ...told] of rows)
  test(`a Pod of a system with ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }
    assert.deepEqual(refusals({ ...object, spec: { containers: [{ name: 'a', image: 'web:1' }], ...spec } }), told)
  })
