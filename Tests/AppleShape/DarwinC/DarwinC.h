// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Regnum uses of Apple's C library, as its headers declare it: the shapes of types and calls, and who may be null.
// Only the compiler reads this, to check code that is compiled on Apple's platforms alone. Nothing links it.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Types
typedef int64_t off_t;
typedef long ssize_t;
typedef uint16_t mode_t;
typedef int32_t pid_t;
typedef uint32_t uid_t, gid_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint16_t nlink_t;
typedef uint32_t fsblkcnt_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef uint64_t rlim_t;
typedef uint32_t socklen_t;
typedef unsigned int nfds_t;
typedef uint32_t useconds_t;

struct apple_timespec {
    time_t tv_sec;
    long tv_nsec;
} __attribute__((swift_name("timespec")));
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
struct apple_stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct apple_timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size;
    int64_t st_blocks;
    int32_t st_blksize;
    uint32_t st_flags, st_gen;
} __attribute__((swift_name("stat")));
struct statvfs {
    unsigned long f_bsize, f_frsize;
    fsblkcnt_t f_blocks, f_bfree, f_bavail;
};
struct flock {
    off_t l_start, l_len;
    pid_t l_pid;
    short l_type, l_whence;
};
typedef struct fstore {
    unsigned int fst_flags;
    int fst_posmode;
    off_t fst_offset, fst_length, fst_bytesalloc;
} fstore_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
struct pollfd {
    int fd;
    short events, revents;
};
struct kevent {
    uintptr_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    intptr_t data;
    void *_Null_unspecified udata;
};
struct iovec {
    void *_Null_unspecified iov_base;
    size_t iov_len;
};
struct dirent {
    ino_t d_ino;
    uint64_t d_seekoff;
    uint16_t d_reclen, d_namlen;
    uint8_t d_type;
    char d_name[1024];
};
typedef struct {
    int __dd_fd;
} DIR;

// Files
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_EVTONLY 0x8000
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define AT_REMOVEDIR 0x0080
#define F_GETFD 1
#define F_SETFD 2
#define F_GETLK 7
#define F_SETLK 8
#define F_FULLFSYNC 51
#define F_PREALLOCATE 42
#define F_BARRIERFSYNC 85
#define F_OFD_SETLK 90
#define F_OFD_GETLK 92
#define F_RDLCK 1
#define F_UNLCK 2
#define F_WRLCK 3
#define FD_CLOEXEC 1
#define F_ALLOCATEALL 0x00000004
#define F_PEOFPOSMODE 3
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define SEEK_SET 0
#define SEEK_END 2
#define PROT_NONE 0x00
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_FIXED 0x0010
#define MAP_ANON 0x1000
#define MADV_DONTNEED 4
#define MADV_FREE 5
#define POLLIN 0x0001
#define RLIMIT_FSIZE 1
#define SIGXFSZ 25
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 6
#define EVFILT_READ (-1)
#define EVFILT_VNODE (-4)
#define EV_ADD 0x0001
#define EV_CLEAR 0x0020
#define NOTE_WRITE 0x00000002
#define NOTE_EXTEND 0x00000004
#define PATH_MAX 1024
#define DT_DIR 4
#define DT_REG 8

typedef int clockid_t;

int close(int);
int fchmod(int, mode_t);
int fchown(int, uid_t, gid_t);
int flock(int, int);

// The loader
#define RTLD_NOW 0x2
#define RTLD_LOCAL 0x4
void * _Nullable dlopen(const char * _Nullable, int);
void * _Nullable dlsym(void * _Nullable, const char *);
int dlclose(void *);
int fstat(int, struct apple_stat *_Null_unspecified);
int fstatat(int, const char *_Null_unspecified, struct apple_stat *_Null_unspecified, int);
int fstatvfs(int, struct statvfs *_Null_unspecified);
int fsync(int);
int ftruncate(int, off_t);
int link(const char *_Null_unspecified, const char *_Null_unspecified);
int linkat(int, const char *_Null_unspecified, int, const char *_Null_unspecified, int);
off_t lseek(int, off_t, int);
int lstat(const char *_Null_unspecified, struct apple_stat *_Null_unspecified);
int mkdir(const char *_Null_unspecified, mode_t);
int mkdirat(int, const char *_Null_unspecified, mode_t);
ssize_t pread(int, void *_Null_unspecified, size_t, off_t);
ssize_t pwrite(int, const void *_Null_unspecified, size_t, off_t);
ssize_t read(int, void *_Null_unspecified, size_t);
ssize_t readlink(const char *_Null_unspecified, char *_Null_unspecified, size_t);
int rename(const char *_Null_unspecified, const char *_Null_unspecified);
int renameat(int, const char *_Null_unspecified, int, const char *_Null_unspecified);
char *_Null_unspecified getcwd(char *_Null_unspecified, size_t);
int mkstemp(char *_Null_unspecified);
int rmdir(const char *_Null_unspecified);
int stat(const char *_Null_unspecified, struct apple_stat *_Null_unspecified);
int statvfs(const char *_Null_unspecified, struct statvfs *_Null_unspecified);
int symlink(const char *_Null_unspecified, const char *_Null_unspecified);
int unlink(const char *_Null_unspecified);
int unlinkat(int, const char *_Null_unspecified, int);
mode_t umask(mode_t);
ssize_t write(int, const void *_Null_unspecified, size_t);
int access(const char *_Null_unspecified, int);
int chmod(const char *_Null_unspecified, mode_t);
int pipe(int *_Null_unspecified);
int poll(struct pollfd *_Null_unspecified, nfds_t, int);
char *_Null_unspecified realpath(const char *_Null_unspecified, char *_Null_unspecified);
int closedir(DIR *_Null_unspecified);
DIR *_Null_unspecified fdopendir(int);
DIR *_Null_unspecified opendir(const char *_Null_unspecified);
struct dirent *_Null_unspecified readdir(DIR *_Null_unspecified);
int dirfd(DIR *_Null_unspecified);
void rewinddir(DIR *_Null_unspecified);

// Memory
void *_Null_unspecified mmap(void *_Null_unspecified, size_t, int, int, int, off_t);
int munmap(void *_Null_unspecified, size_t);
int mprotect(void *_Null_unspecified, size_t, int);
int msync(void *_Null_unspecified, size_t, int);
int madvise(void *_Null_unspecified, size_t, int);
void *_Null_unspecified malloc(size_t);
void *_Null_unspecified calloc(size_t, size_t);
void free(void *_Null_unspecified);
void *_Null_unspecified memchr(const void *_Null_unspecified, int, size_t);
int memcmp(const void *_Null_unspecified, const void *_Null_unspecified, size_t);
void *_Null_unspecified memcpy(void *_Null_unspecified, const void *_Null_unspecified, size_t);
void *_Null_unspecified memmove(void *_Null_unspecified, const void *_Null_unspecified, size_t);
void *_Null_unspecified memset(void *_Null_unspecified, int, size_t);
int memset_s(void *_Null_unspecified, size_t, int, size_t);
size_t strlen(const char *_Null_unspecified);
char *_Null_unspecified strerror(int);
int strncmp(const char *_Null_unspecified, const char *_Null_unspecified, size_t);
int strcmp(const char *_Null_unspecified, const char *_Null_unspecified);
char *_Null_unspecified getenv(const char *_Null_unspecified);

// The process
const char *_Null_unspecified getprogname(void);
pid_t getpid(void);
uid_t geteuid(void);
gid_t getegid(void);
int kill(pid_t, int);
int getrlimit(int, struct rlimit *_Null_unspecified);
long sysconf(int);
int usleep(useconds_t);
time_t time(time_t *_Null_unspecified);
uint64_t clock_gettime_nsec_np(int);
int clock_gettime(int, struct apple_timespec *_Null_unspecified);
int kqueue(void);
int kevent(int, const struct kevent *_Null_unspecified, int, struct kevent *_Null_unspecified, int,
    const struct apple_timespec *_Null_unspecified);
int *_Null_unspecified __error(void);

// Threads
struct _opaque_pthread_t {
    long __sig;
};
typedef struct _opaque_pthread_t *pthread_t;
typedef struct {
    long __sig;
    char __opaque[56];
} pthread_attr_t;
typedef struct {
    long __sig;
    char __opaque[56];
} pthread_mutex_t;
typedef struct {
    long __sig;
    char __opaque[8];
} pthread_mutexattr_t;
typedef struct {
    long __sig;
    char __opaque[40];
} pthread_cond_t;
typedef struct {
    long __sig;
    char __opaque[8];
} pthread_condattr_t;

int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_create(pthread_t _Nullable *_Nonnull, const pthread_attr_t *_Nullable,
    void *_Nullable (*_Nonnull)(void *_Nonnull), void *_Nullable);
int pthread_detach(pthread_t);
int pthread_join(pthread_t, void *_Nullable *_Nullable);
int pthread_equal(pthread_t _Nullable, pthread_t _Nullable);
pthread_t pthread_self(void);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct apple_timespec *_Nullable);
int pthread_cond_timedwait_relative_np(pthread_cond_t *, pthread_mutex_t *, const struct apple_timespec *_Nullable);
#define PTHREAD_CREATE_DETACHED 2

// Numbers
double sin(double);
double cos(double);
double asin(double);
double acos(double);
double atan2(double, double);
double sqrt(double);
double pow(double, double);
double fabs(double);
double floor(double);
double ceil(double);
double log(double);
double exp(double);
double strtod(const char *_Null_unspecified, char *_Null_unspecified *_Null_unspecified);
#define M_PI 3.14159265358979323846264338327950288

#pragma clang assume_nonnull end
