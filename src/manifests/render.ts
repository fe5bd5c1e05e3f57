// All objects of a process, in the order in which they can be applied.
import type { CustomResourceDefinition, KubeObject } from '#kube'
import { admissionPlace, authoritySecret, certManagerObjects, placedCrd } from './certificates.ts'
import { admits, deployment } from './deployment.ts'
import type { Install } from './install.ts'
import { accessObjects, metricsReader } from './rights.ts'
import { disruptionBudget, metricsService, networkPolicy, serviceMonitor, webhookService } from './services.ts'

/** Throws where what was chosen cannot hold together. */
export function renderInstall(install: Install): readonly KubeObject[] {
  const { operators, values } = install
  const asked = admits(install)
  return [
    ...(values.crds.install
      ? operators.flatMap(({ needs }) =>
          needs.crds.map(crd => placedCrd(install, crd)).map(crd => (install.release.service === 'Helm' ? keptByHelm(crd) : crd)),
        )
      : []),
    ...accessObjects(install),
    metricsReader(install),
    ...operators.flatMap(({ needs }) => needs.objects),
    ...(asked ? [...certManagerObjects(install), ...authoritySecret(install), webhookService(install)] : []),
    ...metricsService(install),
    ...serviceMonitor(install),
    ...networkPolicy(install, asked),
    deployment(install),
    ...operators.flatMap(({ name, needs }) =>
      needs.webhooks.map(({ suffix, configuration }) => configuration(admissionPlace(install, name, suffix))),
    ),
    ...disruptionBudget(install),
  ]
}

/** Helm upgrades what stands in templates, and would take it away with them: with a kind go all of its objects. */
export function keptByHelm(crd: CustomResourceDefinition): CustomResourceDefinition {
  const annotations = { ...crd.metadata.annotations, 'helm.sh/resource-policy': 'keep' }
  return { ...crd, metadata: { ...crd.metadata, annotations } }
}
