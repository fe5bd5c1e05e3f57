// Validation of built-in kinds, by `group/Kind`: what clients notice, with the server's own words.

import { validateCrd } from '../definition/definition.ts'
import type { FieldError } from '../field-error.ts'
import type { JsonObject } from '../json.ts'
import type { ValidationContext } from '../kind-schema.ts'
import { validateAdmissionBinding } from './validate/admission/bindings.ts'
import { validateAdmissionPolicy } from './validate/admission/policies.ts'
import { validateWebhooks } from './validate/admission/webhooks.ts'
import { validateApiService } from './validate/api-services.ts'
import { validateAutoscaler } from './validate/autoscalers.ts'
import { validateSigningRequest } from './validate/certificates.ts'
import { validateDisruptionBudget, validateLease, validateNamespace, validateNode } from './validate/cluster.ts'
import { validateConfigMap, validateSecret } from './validate/config.ts'
import { validateControllerRevision, validateReplicationController } from './validate/controllers.ts'
import { validateCoreEvent, validateEvent } from './validate/events.ts'
import { validateFlowSchema } from './validate/flow-control/flow-schemas.ts'
import { validatePriorityLevel } from './validate/flow-control/priority-levels.ts'
import { validateCronJob, validateJob } from './validate/jobs.ts'
import { validateEndpointSlice, validateEndpoints } from './validate/network/endpoints.ts'
import { validateIngress, validateIngressClass } from './validate/network/ingresses.ts'
import { validateNetworkPolicy } from './validate/network/network-policies.ts'
import { validateService } from './validate/network/services.ts'
import { validatePriorityClass, validateRuntimeClass } from './validate/platform.ts'
import { validatePod, validatePodTemplate } from './validate/pods/pods.ts'
import { validateLimitRange, validateQuota } from './validate/quotas.ts'
import { validateBinding, validateClusterRole, validateRole } from './validate/rbac.ts'
import { validateAttachment } from './validate/storage/attachments.ts'
import { validateClaim } from './validate/storage/claims.ts'
import { validateAttributesClass, validateStorageCapacity, validateStorageClass } from './validate/storage/classes.ts'
import { validateDriver, validateNodeDrivers } from './validate/storage/drivers.ts'
import { validateVolume } from './validate/storage/persistent-volumes.ts'
import { validateDaemonSet, validateDeployment, validateReplicaSet, validateStatefulSet } from './validate/workloads.ts'

export type ValidateObject = (object: JsonObject, context: ValidationContext) => readonly FieldError[]

export const validations: ReadonlyMap<string, ValidateObject> = new Map<string, ValidateObject>([
  ['/ConfigMap', validateConfigMap],
  ['/Secret', validateSecret],
  ['/Pod', validatePod],
  ['/PodTemplate', validatePodTemplate],
  ['/Service', validateService],
  ['/Endpoints', validateEndpoints],
  ['/Node', validateNode],
  ['/Namespace', validateNamespace],
  ['/ReplicationController', validateReplicationController],
  ['/PersistentVolume', validateVolume],
  ['/PersistentVolumeClaim', validateClaim],
  ['/ResourceQuota', validateQuota],
  ['/LimitRange', validateLimitRange],
  ['/Event', validateCoreEvent],
  ['events.k8s.io/Event', validateEvent],
  ['apps/Deployment', validateDeployment],
  ['apps/ReplicaSet', validateReplicaSet],
  ['apps/StatefulSet', validateStatefulSet],
  ['apps/DaemonSet', validateDaemonSet],
  ['apps/ControllerRevision', validateControllerRevision],
  ['batch/Job', validateJob],
  ['batch/CronJob', validateCronJob],
  ['networking.k8s.io/Ingress', validateIngress],
  ['networking.k8s.io/IngressClass', validateIngressClass],
  ['networking.k8s.io/NetworkPolicy', validateNetworkPolicy],
  ['rbac.authorization.k8s.io/Role', validateRole],
  ['rbac.authorization.k8s.io/ClusterRole', validateClusterRole],
  ['rbac.authorization.k8s.io/RoleBinding', validateBinding(['Role', 'ClusterRole'])],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', validateBinding(['ClusterRole'])],
  ['certificates.k8s.io/CertificateSigningRequest', validateSigningRequest],
  ['coordination.k8s.io/Lease', validateLease],
  ['discovery.k8s.io/EndpointSlice', validateEndpointSlice],
  ['policy/PodDisruptionBudget', validateDisruptionBudget],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', validateWebhooks],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', validateWebhooks],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', validateAdmissionPolicy],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', validateAdmissionBinding],
  ['apiregistration.k8s.io/APIService', validateApiService],
  ['autoscaling/HorizontalPodAutoscaler', validateAutoscaler],
  ['scheduling.k8s.io/PriorityClass', validatePriorityClass],
  ['node.k8s.io/RuntimeClass', validateRuntimeClass],
  ['storage.k8s.io/StorageClass', validateStorageClass],
  ['storage.k8s.io/CSIDriver', validateDriver],
  ['storage.k8s.io/CSINode', validateNodeDrivers],
  ['storage.k8s.io/CSIStorageCapacity', validateStorageCapacity],
  ['storage.k8s.io/VolumeAttachment', validateAttachment],
  ['storage.k8s.io/VolumeAttributesClass', validateAttributesClass],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', validateFlowSchema],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', validatePriorityLevel],
  ['apiextensions.k8s.io/CustomResourceDefinition', (object, { old }) => validateCrd(object, old)],
])
