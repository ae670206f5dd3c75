fn main() -> std::process::ExitCode {
    saitei::cmd::main(std::env::args_os())
}
