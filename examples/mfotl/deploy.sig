# Versions have names; time counts in seconds.
build(v:string)
test(v:string)
fail(v:string)
sign(v:string)
deploy(v:string)
