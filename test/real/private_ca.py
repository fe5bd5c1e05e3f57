"""Makes a private authority with boto3, has it sign itself, and gets a certificate of ACM from it; prints what came back, as one JSON object."""

import json
import sys
import time

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint, key_id, secret = sys.argv[1:4]
config = Config(retries={"max_attempts": 0}, region_name="us-east-1")


def client(service):
    return boto3.client(service, endpoint_url=endpoint, aws_access_key_id=key_id, aws_secret_access_key=secret, config=config)


def refused(call):
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "not refused"



def decided(certificate):
    """The certificate once it is issued or refused; the waiter of ACM asks for proofs, of which a private one has none."""
    for _ in range(100):
        detail = acm.describe_certificate(CertificateArn=certificate)["Certificate"]
        if detail["Status"] != "PENDING_VALIDATION":
            return detail
        time.sleep(0.1)
    raise TimeoutError(certificate)


results = {}
pca, acm = client("acm-pca"), client("acm")
arn = pca.create_certificate_authority(
    CertificateAuthorityType="ROOT",
    CertificateAuthorityConfiguration={
        "KeyAlgorithm": "EC_prime256v1",
        "SigningAlgorithm": "SHA256WITHECDSA",
        "Subject": {"Country": "DE", "Organization": "Boto", "CommonName": "Boto Root"},
    },
    Tags=[{"Key": "team", "Value": "boto"}],
)["CertificateAuthorityArn"]
of = {"CertificateAuthorityArn": arn}
pca.get_waiter("certificate_authority_csr_created").wait(**of, WaiterConfig={"Delay": 1, "MaxAttempts": 5})
results["before"] = pca.describe_certificate_authority(**of)["CertificateAuthority"]["Status"]
early = decided(acm.request_certificate(DomainName="early.corp", CertificateAuthorityArn=arn)["CertificateArn"])
results["early"] = [early["Status"], early["FailureReason"]]

csr = pca.get_certificate_authority_csr(**of)["Csr"]
signed = pca.issue_certificate(
    **of,
    Csr=csr.encode(),
    SigningAlgorithm="SHA256WITHECDSA",
    TemplateArn="arn:aws:acm-pca:::template/RootCACertificate/V1",
    Validity={"Value": 10, "Type": "YEARS"},
)["CertificateArn"]
pca.get_waiter("certificate_issued").wait(**of, CertificateArn=signed, WaiterConfig={"Delay": 1, "MaxAttempts": 5})
root = pca.get_certificate(**of, CertificateArn=signed)["Certificate"]
pca.import_certificate_authority_certificate(**of, Certificate=root.encode())
pca.create_permission(**of, Principal="acm.amazonaws.com", Actions=["IssueCertificate", "GetCertificate", "ListPermissions"])
described = pca.describe_certificate_authority(**of)["CertificateAuthority"]
results["after"] = [described["Status"], described["NotAfter"].year - described["NotBefore"].year]
results["permissions"] = pca.list_permissions(**of)["Permissions"][0]["Actions"]
results["listed"] = [one["Arn"] == arn for page in pca.get_paginator("list_certificate_authorities").paginate() for one in page["CertificateAuthorities"]]
results["tags"] = pca.list_tags(**of)["Tags"]
results["twice"] = refused(lambda: pca.create_permission(**of, Principal="acm.amazonaws.com", Actions=["GetCertificate"]))
results["active is kept"] = refused(lambda: pca.delete_certificate_authority(**of))
results["no request"] = refused(
    lambda: pca.issue_certificate(**of, Csr=b"none", SigningAlgorithm="SHA256WITHECDSA", Validity={"Value": 1, "Type": "DAYS"})
)


made = acm.request_certificate(DomainName="db.corp", SubjectAlternativeNames=["*.db.corp"], CertificateAuthorityArn=arn)["CertificateArn"]
decided(made)
got = acm.get_certificate(CertificateArn=made)
results["certificate"], results["chain"], results["root"] = got["Certificate"], got["CertificateChain"], root
detail = acm.describe_certificate(CertificateArn=made)["Certificate"]
results["detail"] = [detail["Type"], detail["Issuer"], detail["SignatureAlgorithm"], detail["CertificateAuthorityArn"] == arn]
print(json.dumps(results))
