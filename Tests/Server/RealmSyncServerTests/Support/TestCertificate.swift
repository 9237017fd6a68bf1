// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// A self-signed certificate and its key, which isn't secret.
    enum TestCertificate {
        static let certificate = """
            -----BEGIN CERTIFICATE-----
            MIIBfjCCASWgAwIBAgIUY94g/3WGy0obKv+ryEtJDTKp6mYwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzE1MTkwN1oYDzIxMjYxMTAz
            MTUxOTA3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAATLaeBee32VKQAG4xrnVKUTvRvySQIRNvAwqcB8S9ZMZ+erhkiwHvUL
            bi/RoxAExhBydbwX7fnF0Oy5jRkkfYRVo1MwUTAdBgNVHQ4EFgQUieGzkLzPo/In
            0Thwvcd6OyVBQbQwHwYDVR0jBBgwFoAUieGzkLzPo/In0Thwvcd6OyVBQbQwDwYD
            VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBtFtzYfd5jDbcebnmAJtW7
            jvVTdoTxyrjwsbgFgN2GLgIgKq93QYglxxYZln5KJCbe/11IAfy4iDIV/l77d6q8
            NrM=
            -----END CERTIFICATE-----
            """
        static let key = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdIA1VHTb0rUgVehr
            9wInRJP2ZUjPUlmFk9JecJQFu9uhRANCAATLaeBee32VKQAG4xrnVKUTvRvySQIR
            NvAwqcB8S9ZMZ+erhkiwHvULbi/RoxAExhBydbwX7fnF0Oy5jRkkfYRV
            -----END PRIVATE KEY-----
            """

        /// The certificate of an untrusted authority, and one that it issued for the name `localhost`, with its key.
        static let authority = """
            -----BEGIN CERTIFICATE-----
            MIIBZTCCAQugAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5UZXN0IGF1
            dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
            A1UEAwwOVGVzdCBhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQp
            XKt1x5s/rcoLJZjB3yek3mjeyCCOjX2v0f2S+/So0haAfsw9eIdyjm7IzRVFmg+t
            HdfTaqVVijLeDh5vaBoRo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQE
            AwICBDAdBgNVHQ4EFgQUEEo1IBn+QSzshQGz4tkzQvEgfN4wCgYIKoZIzj0EAwID
            SAAwRQIgP5e8vtSCuNQLxdR8B0eizXxbeL8gQaMKFEoO7K3WTL4CIQCNiQvCOtNS
            PA4ljr/BMAAaxHscIpG/l7sByePwjwgRpA==
            -----END CERTIFICATE-----
            """
        static let issued = """
            -----BEGIN CERTIFICATE-----
            MIIBfDCCASKgAwIBAgIBAjAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5UZXN0IGF1
            dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowDzENMAsG
            A1UEAwwEa2V5czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDumkrSB1TZkjGro
            N73ivYZvkpJKTCnhoPPOMp4XlcqbK7Us3ykIgawAFBMzT1u3pOkxXGbJkByw9mvi
            J99dBaejYzBhMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAJBgNVHRMEAjAAMB0GA1Ud
            DgQWBBTuYLN3mwu6W8hdQlt6C8gpQ9VMFDAfBgNVHSMEGDAWgBQQSjUgGf5BLOyF
            AbPi2TNC8SB83jAKBggqhkjOPQQDAgNIADBFAiEA5HM+q2abKdGpl1jpvfzILsfW
            e4DG2oYa2SyodUVLkycCIBBtj1VD5ebQ2wg30w5X/JIIK2YnQSRU6l76mfPnpZfS
            -----END CERTIFICATE-----
            """
        static let issuedKey = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghi8Ge7F6jAkjuOGI
            SIS1lerML5EGpPnzgDgi0BkkIw6hRANCAAQ7ppK0gdU2ZIxq6De94r2Gb5KSSkwp
            4aDzzjKeF5XKmyu1LN8pCIGsABQTM09bt6TpMVxmyZAcsPZr4iffXQWn
            -----END PRIVATE KEY-----
            """
    }
#endif
