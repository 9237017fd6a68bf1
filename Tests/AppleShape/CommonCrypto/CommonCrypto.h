// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Regnum uses of Apple's CommonCrypto, as its headers declare it.

#include <stddef.h>
#include <stdint.h>

typedef int32_t CCCryptorStatus;
typedef uint32_t CCOperation;
typedef uint32_t CCAlgorithm;
typedef uint32_t CCOptions;
typedef uint32_t CCHmacAlgorithm;
typedef uint32_t CC_LONG;

enum { kCCSuccess = 0 };
enum { kCCEncrypt = 0, kCCDecrypt };
enum { kCCAlgorithmAES = 0 };
enum { kCCBlockSizeAES128 = 16 };
enum { kCCHmacAlgSHA224 = 5 };

typedef struct CC_SHA256state_st {
    CC_LONG count[2];
    CC_LONG hash[8];
    CC_LONG wbuf[16];
} CC_SHA256_CTX;

CCCryptorStatus CCCrypt(CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength,
    const void *iv, const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable,
    size_t *dataOutMoved);
void CCHmac(CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data, size_t dataLength,
    void *macOut);
int CC_SHA256_Init(CC_SHA256_CTX *c);
int CC_SHA256_Update(CC_SHA256_CTX *c, const void *data, CC_LONG len);
int CC_SHA256_Final(unsigned char *md, CC_SHA256_CTX *c);
