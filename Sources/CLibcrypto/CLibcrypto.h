// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.
// What RealmCrypto needs of OpenSSL's libcrypto, 1.1.1 or later, where there is no CommonCrypto.

#include <openssl/crypto.h>
#include <openssl/evp.h>
