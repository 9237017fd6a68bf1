// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    extension RealmServer {
        /// The files with which a server authenticates itself to clients, both in PEM format.
        public struct TLSFiles: Sendable {
            /// The path of the server's certificate, followed by those of its issuers.
            public var certificateChain: String
            /// The path of the certificate's private key. Only its owner should be able to read it.
            public var privateKey: String

            /// Creates the paths of a certificate chain and its private key.
            ///
            /// - Parameters:
            ///   - certificateChain: The path of the certificate, followed by those of its issuers.
            ///   - privateKey: The path of the private key.
            public init(certificateChain: String, privateKey: String) {
                (self.certificateChain, self.privateKey) = (certificateChain, privateKey)
            }
        }
    }
#endif
