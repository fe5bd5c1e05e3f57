// AWS Private CA as a service of the emulator. What is faithful and what is not: README.md.
import { type ServiceModel, serviceModel } from '#aws'
import type { TaggedResource } from '../ports.ts'
import type { Service } from '../service.ts'
import {
  becomeReady,
  createCertificateAuthority,
  deleteCertificateAuthority,
  describeCertificateAuthority,
  getCertificateAuthorityCsr,
  listCertificateAuthorities,
  restoreCertificateAuthority,
  takeAway,
  updateCertificateAuthority,
} from './authorities.ts'
import {
  getCertificate,
  getCertificateAuthorityCertificate,
  importCertificateAuthorityCertificate,
  issueCertificate,
  revokeCertificate,
} from './certificates.ts'
import { controls } from './controls.ts'
import { emptyPca, type PcaState } from './model.ts'
import { createPermission, deletePermission, deletePolicy, getPolicy, listPermissions, putPolicy } from './permissions.ts'
import { authoritiesPort } from './port.ts'
import { pcaQuotas } from './quotas.ts'
import { listTags, tagCertificateAuthority, untagCertificateAuthority } from './tags.ts'

export const acmPca: Service<PcaState> = {
  name: 'acm-pca',
  get model(): ServiceModel {
    return serviceModel('acm-pca')
  },
  address: { hosts: ['acm-pca'], target: 'ACMPrivateCA', path: /^\/service\/ACMPrivateCA\/operation\// },
  scope: 'region',
  initial: () => emptyPca,
  operations: {
    CreateCertificateAuthority: createCertificateAuthority,
    CreatePermission: createPermission,
    DeleteCertificateAuthority: deleteCertificateAuthority,
    DeletePermission: deletePermission,
    DeletePolicy: deletePolicy,
    DescribeCertificateAuthority: describeCertificateAuthority,
    GetCertificate: getCertificate,
    GetCertificateAuthorityCertificate: getCertificateAuthorityCertificate,
    GetCertificateAuthorityCsr: getCertificateAuthorityCsr,
    GetPolicy: getPolicy,
    ImportCertificateAuthorityCertificate: importCertificateAuthorityCertificate,
    IssueCertificate: issueCertificate,
    ListCertificateAuthorities: listCertificateAuthorities,
    ListPermissions: listPermissions,
    ListTags: listTags,
    PutPolicy: putPolicy,
    RestoreCertificateAuthority: restoreCertificateAuthority,
    RevokeCertificate: revokeCertificate,
    TagCertificateAuthority: tagCertificateAuthority,
    UntagCertificateAuthority: untagCertificateAuthority,
    UpdateCertificateAuthority: updateCertificateAuthority,
  },
  timers: { ready: becomeReady, gone: takeAway },
  offers: at => ({ authorities: authoritiesPort(at) }),
  controls,
  *resources({ store }): Generator<TaggedResource> {
    for (const { arn, tags } of store.get().authorities.values())
      if (Object.keys(tags).length > 0) yield { arn, type: 'acm-pca:certificate-authority', tags }
  },
  quotas: { title: 'AWS Private Certificate Authority', quotas: pcaQuotas },
}
