// The plugins in the order in which they see a request. Webhooks come after all of them, as they do in a real server.
import { immortalNamespaces } from './immortal-namespaces/immortal-namespaces.ts'
import { limitRanges } from './limit-ranges/limit-ranges.ts'
import { nodeTaint } from './node-taint/node-taint.ts'
import type { MakePlugin } from './plugin.ts'
import { podDefaults } from './pod-defaults/pod-defaults.ts'
import { podPriority } from './pod-priority/pod-priority.ts'
import { admissionPolicies } from './policies/policies.ts'
import { rbacEscalation } from './rbac-escalation/rbac-escalation.ts'
import { requester } from './requester/requester.ts'
import { storageInUse } from './storage-in-use/storage-in-use.ts'

export const pluginsInOrder: readonly MakePlugin[] = [
  //
  immortalNamespaces,
  podDefaults,
  podPriority,
  limitRanges,
  nodeTaint,
  requester,
  storageInUse,
  rbacEscalation,
  admissionPolicies,
]
