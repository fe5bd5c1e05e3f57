import type { Subject } from '#simulator'
import { editedCertificatesSubject } from './certificates/edited.ts'
import { forgedCertificatesSubject } from './certificates/forged.ts'
import { meddledCertificatesSubject, replacedCertificatesSubject } from './certificates/meddled.ts'
import { movedCertificatesSubject } from './certificates/moved.ts'
import { publishedCertificatesSubject } from './certificates/published.ts'
import { adoptedCertificatesSubject, certificatesSubject } from './certificates.ts'
import { configMapMirrorSubject } from './configmap-mirror.ts'
import { dnsSubject } from './dns.ts'
import { greetingFleetSubject } from './greeting-fleet.ts'
import { hostedSubject } from './hosted.ts'
import { tenantChildrenSubject, tenantDirectSubject } from './hostile/identity.ts'
import { tenantPodsSubject } from './hostile/pods.ts'
import { tenantResourcesSubject } from './hostile/resources.ts'
import { identityChildrenSubject } from './identity-children.ts'
import { identityConfigSubject } from './identity-config.ts'
import { identityDirectSubject } from './identity-direct.ts'
import { identityFleetSubject } from './identity-fleet.ts'
import { identityRolesSubject } from './identity-roles.ts'
import { identityRolloutSubject, identityThousandSubject } from './identity-rollout.ts'
import { identitySetsSubject } from './identity-sets.ts'
import { podWebhookSubject } from './pod-webhook.ts'
import { randomKinds, taggedKinds } from './random-kinds/kinds.ts'
import { randomKindsSubject } from './random-kinds/subject.ts'
import { dataResourcesSubject, iamResourcesSubject } from './resources.ts'
import { adoptedResourcesSubject } from './resources-adopted.ts'
import { sharesSubject } from './shares.ts'
import { identitySteeredSubject } from './steered/identity-steered.ts'

/** Everything that `npm run sim` can drive, by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  certificates: certificatesSubject,
  'certificates-adopted': adoptedCertificatesSubject,
  'certificates-edited': editedCertificatesSubject,
  'certificates-forged': forgedCertificatesSubject,
  'certificates-meddled': meddledCertificatesSubject,
  'certificates-moved': movedCertificatesSubject,
  'certificates-published': publishedCertificatesSubject,
  'certificates-replaced': replacedCertificatesSubject,
  'configmap-mirror': configMapMirrorSubject,
  dns: dnsSubject,
  'greeting-fleet': greetingFleetSubject,
  hosted: hostedSubject,
  'identity-children': identityChildrenSubject,
  'identity-config': identityConfigSubject,
  'identity-direct': identityDirectSubject,
  'identity-fleet': identityFleetSubject,
  'identity-roles': identityRolesSubject,
  'identity-rollout': identityRolloutSubject,
  'identity-sets': identitySetsSubject,
  'identity-steered': identitySteeredSubject,
  'identity-thousand': identityThousandSubject,
  'pod-webhook': podWebhookSubject,
  'resources-adopted': adoptedResourcesSubject,
  'resources-data': dataResourcesSubject,
  'resources-iam': iamResourcesSubject,
  'resources-random-1': randomKindsSubject('resources-random-1', 1, randomKinds(1)),
  'resources-random-2': randomKindsSubject('resources-random-2', 2, randomKinds(2)),
  'resources-random-3': randomKindsSubject('resources-random-3', 3, randomKinds(3)),
  'resources-tagged-1': randomKindsSubject('resources-tagged-1', 1, taggedKinds(1)),
  'resources-tagged-5': randomKindsSubject('resources-tagged-5', 5, taggedKinds(5)),
  'resources-tagged-8': randomKindsSubject('resources-tagged-8', 8, taggedKinds(8)),
  'resources-tagged-9': randomKindsSubject('resources-tagged-9', 9, taggedKinds(9)),
  shares: sharesSubject,
  'tenant-children': tenantChildrenSubject,
  'tenant-direct': tenantDirectSubject,
  'tenant-pods': tenantPodsSubject,
  'tenant-resources': tenantResourcesSubject,
}
