// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation

    /// Reads a password from the standard input. A terminal doesn't show it.
    enum PasswordInput {
        /// Returns `nil` at the end of the input.
        static func read() -> String? {
            var shown = termios()
            guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
                return readLine()
            }
            var hidden = shown
            hidden.c_lflag &= ~tcflag_t(ECHO)
            FileHandle.standardError.write(Data("Password: ".utf8))
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
            defer {
                unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
                FileHandle.standardError.write(Data("\n".utf8))
            }
            return readLine()
        }
    }
#endif
