// ACM as a service of the emulator. What is faithful and what is not: README.md.
import { extendedModel, onFirstUse, type ServiceModel, serviceModel } from '#aws'
import type { TaggedResource } from '../ports.ts'
import type { Context, Service } from '../service.ts'
import {
  addTagsToCertificate,
  deleteCertificate,
  describeCertificate,
  getCertificate,
  listCertificates,
  listTagsForCertificate,
  removeTagsFromCertificate,
  requestCertificate,
} from './certificates.ts'
import { controls } from './controls.ts'
import {
  exportCertificate,
  getAccountConfiguration,
  importCertificate,
  putAccountConfiguration,
  renewCertificate,
  resendValidationEmail,
  revokeCertificate,
  updateCertificateOptions,
} from './handling.ts'
import { check, expire, finish, renew, takeAway, timeOut, tryRenewal } from './life.ts'
import { type AcmState, emptyAcm } from './model.ts'
import { acmQuotas } from './quotas.ts'

export const acm: Service<AcmState> = {
  name: 'acm',
  get model(): ServiceModel {
    return model()
  },
  address: { hosts: ['acm'], target: 'CertificateManager' },
  scope: 'region',
  initial: () => emptyAcm,
  operations: {
    AddTagsToCertificate: addTagsToCertificate,
    DeleteCertificate: deleteCertificate,
    DescribeCertificate: describeCertificate,
    ExportCertificate: exportCertificate,
    GetAccountConfiguration: getAccountConfiguration,
    GetCertificate: getCertificate,
    ImportCertificate: importCertificate,
    ListCertificates: listCertificates,
    ListTagsForCertificate: listTagsForCertificate,
    PutAccountConfiguration: putAccountConfiguration,
    RemoveTagsFromCertificate: removeTagsFromCertificate,
    RenewCertificate: renewCertificate,
    RequestCertificate: requestCertificate,
    ResendValidationEmail: resendValidationEmail,
    RevokeCertificate: revokeCertificate,
    UpdateCertificateOptions: updateCertificateOptions,
  },
  timers: { check, issue: finish, timeout: timeOut, renew, renewal: tryRenewal, expire, gone: takeAway },
  offers: at => ({
    certificates: {
      recheck: () => {
        for (const { account, region, store } of at().stores()) recheckAll(at({ account, region }), store.get())
      },
    },
  }),
  controls,
  *resources({ store }): Generator<TaggedResource> {
    for (const certificate of store.get().certificates.values()) {
      if (Object.keys(certificate.tags).length > 0)
        yield { arn: certificate.arn, type: 'acm:certificate', tags: certificate.tags }
    }
  },
  quotas: { title: 'AWS Certificate Manager (ACM)', quotas: acmQuotas },
  throttles: [
    ...[
      'RequestCertificate',
      'AddTagsToCertificate',
      'RemoveTagsFromCertificate',
      'RenewCertificate',
      'UpdateCertificateOptions',
      'ExportCertificate',
    ].map(operation => throttle(operation, 5)),
    ...['DescribeCertificate', 'DeleteCertificate', 'GetCertificate', 'ListTagsForCertificate'].map(operation =>
      throttle(operation, 10),
    ),
    ...[
      'ListCertificates',
      'ImportCertificate',
      'ResendValidationEmail',
      'GetAccountConfiguration',
      'PutAccountConfiguration',
    ].map(operation => throttle(operation, 1)),
  ],
}

function recheckAll(context: Context<AcmState>, state: AcmState): void {
  for (const certificate of state.certificates.values()) {
    if (certificate.status === 'PENDING_VALIDATION') check(context, certificate.id)
    if (certificate.renewal?.status === 'PENDING_VALIDATION') tryRenewal(context, certificate.id)
  }
}

function throttle(operation: string, perSecond: number): NonNullable<Service['throttles']>[number] {
  const error = { code: 'ThrottlingException', status: 400, message: 'Rate exceeded' }
  return {
    name: `acm-${operation}`,
    operations: [operation],
    perSecond,
    burst: perSecond,
    source: 'published',
    per: 'region',
    error,
  }
}

/** Members and operations that came after the model we ship. */
const model = onFirstUse(() =>
  extendedModel(serviceModel('acm'), {
    members: {
      CertificateOptions: { Export: { target: 'CertificateExport' } },
      RequestCertificateRequest: { ManagedBy: { target: 'CertificateManagedBy' } },
      CertificateDetail: { ManagedBy: { target: 'CertificateManagedBy' } },
      CertificateSummary: { ManagedBy: { target: 'CertificateManagedBy' } },
      Filters: { exportOption: { target: 'CertificateExport' }, managedBy: { target: 'CertificateManagedBy' } },
    },
    values: { ValidationMethod: ['HTTP'] },
    shapes: {
      CertificateExport: { type: 'string', enum: ['ENABLED', 'DISABLED'] },
      CertificateManagedBy: { type: 'string', enum: ['CLOUDFRONT'] },
      RevokeCertificateRequest: {
        type: 'structure',
        members: { CertificateArn: { target: 'Arn' }, RevocationReason: { target: 'RevocationReason' } },
        required: ['CertificateArn', 'RevocationReason'],
      },
      RevokeCertificateResponse: { type: 'structure', members: { CertificateArn: { target: 'Arn' } }, required: [] },
    },
    operations: {
      RevokeCertificate: {
        name: 'RevokeCertificate',
        http: { method: 'POST', uri: '/', code: 200 },
        input: 'RevokeCertificateRequest',
        output: 'RevokeCertificateResponse',
        errors: [],
      },
    },
  }),
)
