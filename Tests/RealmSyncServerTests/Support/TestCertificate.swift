// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// A certificate that signs itself, and its key, which is no secret.
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
    }
#endif
